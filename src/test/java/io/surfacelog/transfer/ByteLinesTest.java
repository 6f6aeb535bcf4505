package io.surfacelog.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteLinesTest {

    @Nested
    class Cutting {

        @Test
        void counts_numbers_offsets_and_lengths_in_bytes() throws IOException {
            ByteLines lines = lines("é\nab\r\n漢\u2028漢\u0085\ntorn é");

            assertThat(next(lines)).isEqualTo("1 at 0+3: é");
            assertThat(next(lines)).isEqualTo("2 at 3+4: ab\r");
            assertThat(next(lines)).isEqualTo("3 at 7+12: 漢\u2028漢\u0085");
            assertThat(lines.next()).isFalse();
            assertThat(lines.offset()).isEqualTo(19);
            assertThat(lines.length()).isEqualTo(7);
            assertThat(lines.next()).isFalse();
            assertThat(lines.offset()).isEqualTo(19);
        }

        @ParameterizedTest
        @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
        void does_not_depend_on_how_the_bytes_arrive(long seed) throws IOException {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 40; i++) {
                // around the 64 KiB that are read at once, and far above
                text.append("é".repeat(1 + random.nextInt(random.nextInt(8) == 0 ? 200_000 : 40_000)))
                        .append('\n');
            }
            byte[] bytes = text.append("torn").toString().getBytes(StandardCharsets.UTF_8);
            ByteLines lines = new ByteLines(new Dribble(bytes, random), 1 << 20);
            StringBuilder read = new StringBuilder();
            while (lines.next()) {
                assertThat(lines.offset()).isEqualTo(read.toString().getBytes(StandardCharsets.UTF_8).length);
                read.append(lines.text()).append('\n');
            }

            assertThat(read + "torn").as("seed %d", seed).isEqualTo(text.toString());
            assertThat(lines.length()).isEqualTo(4);
        }

        @Test
        void reads_no_further_ahead_than_its_buffer() throws IOException {
            long[] given = {0};
            InputStream endless = new InputStream() {
                @Override
                public int read() {
                    given[0]++;
                    return given[0] % 100 == 0 ? '\n' : 'x';
                }

                @Override
                public int read(byte[] into, int offset, int length) {
                    for (int i = 0; i < length; i++) {
                        into[offset + i] = (byte) read();
                    }
                    return length;
                }
            };
            ByteLines lines = new ByteLines(endless, 1 << 20);
            for (int i = 0; i < 100_000; i++) {
                assertThat(lines.next()).isTrue();
                assertThat(given[0] - lines.offset()).isLessThanOrEqualTo(1 << 16);
            }
            assertThat(lines.offset()).isEqualTo(9_999_900);
        }
    }

    @Nested
    class Refusing {

        @Test
        void names_the_byte_of_the_file_where_UTF_8_is_malformed() throws IOException {
            byte[] file = "aé\nb漢?c\n".getBytes(StandardCharsets.UTF_8);
            file[8] = (byte) 0xFF;

            ByteLines lines = new ByteLines(new ByteArrayInputStream(file), 100);

            assertThat(next(lines)).isEqualTo("1 at 0+4: aé");
            assertThat(lines.next()).isTrue();
            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(lines::text)
                    .satisfies(refusal -> assertThat(refusal.rule()).isEqualTo(AdmissionRule.JSON_SYNTAX))
                    .withMessageContaining("at byte 8 of the file");
        }

        @Test
        void takes_the_replacement_character_for_what_it_is() throws IOException {
            assertThat(next(lines("a\uFFFDb\n"))).isEqualTo("1 at 0+6: a\uFFFDb");
        }

        @ParameterizedTest
        @ValueSource(ints = {0xC080, 0xEDA080, 0xF4908080, 0xE6BC, 0x80})
        void overlong_forms_surrogates_and_cut_characters_are_malformed(int bytes) {
            List<Byte> all = new ArrayList<>();
            for (int shift = 24; shift >= 0; shift -= 8) {
                if (bytes >>> shift != 0) {
                    all.add((byte) (bytes >>> shift));
                }
            }
            all.add((byte) '\n');
            byte[] file = new byte[all.size()];
            for (int i = 0; i < file.length; i++) {
                file[i] = all.get(i);
            }

            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> next(new ByteLines(new ByteArrayInputStream(file), 100)))
                    .withMessageContaining("malformed bytes at byte 0");
        }

        @Test
        void a_line_over_the_maximum_is_read_past_and_refused() throws IOException {
            ByteLines lines = lines("x".repeat(300_000) + "\n" + "y".repeat(100) + "\n");

            assertThat(lines.next()).isTrue();
            assertThat(lines.length()).isEqualTo(300_001);
            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(lines::text)
                    .satisfies(refusal -> assertThat(refusal.rule()).isEqualTo(AdmissionRule.LIMIT_EVENT_BYTES))
                    .withMessageContaining("at most 100 bytes, found one of 300000");
            assertThat(next(lines)).isEqualTo("2 at 300001+101: " + "y".repeat(100));
        }

        @Test
        void one_byte_over_the_maximum_is_over_it() throws IOException {
            ByteLines lines = lines("y".repeat(101) + "\n");

            assertThat(lines.next()).isTrue();
            assertThatExceptionOfType(AdmissionException.class).isThrownBy(lines::text);
        }

        @Test
        void a_torn_tail_may_be_longer_than_any_line() throws IOException {
            ByteLines lines = lines("a\n" + "\0".repeat(1 << 20));

            assertThat(next(lines)).isEqualTo("1 at 0+2: a");
            assertThat(lines.next()).isFalse();
            assertThat(lines.offset()).isEqualTo(2);
            assertThat(lines.length()).isEqualTo(1 << 20);
        }
    }

    private static ByteLines lines(String text) {
        return new ByteLines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), 100);
    }

    private static String next(ByteLines lines) throws IOException {
        assertThat(lines.next()).isTrue();
        return lines.number() + " at " + lines.offset() + "+" + lines.length() + ": " + lines.text();
    }

    /** Gives some bytes at a time, now one, now many. */
    private static final class Dribble extends ByteArrayInputStream {

        private final Random random;

        Dribble(byte[] bytes, Random random) {
            super(bytes);
            this.random = random;
        }

        @Override
        public synchronized int read(byte[] into, int offset, int length) {
            return super.read(into, offset, Math.min(length, 1 + random.nextInt(random.nextBoolean() ? 7 : 100_000)));
        }
    }
}
