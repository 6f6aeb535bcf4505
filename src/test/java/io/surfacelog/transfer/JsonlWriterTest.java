package io.surfacelog.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.ChunkRowLogs;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonText;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StreamChunk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JsonlWriterTest {

    private static final SessionHeader PLAIN =
            SessionHeader.builder().id(SessionId.of("z")).createdAt(1).build();

    @Nested
    class Header {

        @Test
        void has_its_members_in_the_order_of_the_format_and_unknown_ones_behind() throws IOException {
            SessionHeader header = SessionHeader.of(Json.parse("""
                            {"later":1.0,"agentPreset":"p","delegationDepth":2.0,"origin":"subagent","seedLength":3,\
                            "parentSession":"q","cwd":"/w","createdAt":1e3,"id":"z","a":null,"version":0.0}"""));

            assertThat(text(header, List.of())).isEqualTo("""
                            {"type":"session","version":0,"id":"z","createdAt":1000,"cwd":"/w","parentSession":"q",\
                            "seedLength":3,"origin":"subagent","delegationDepth":2,"agentPreset":"p","later":1.0,"a":null}
                            """);
        }

        @ParameterizedTest
        @MethodSource("io.surfacelog.transfer.JsonlWriterTest#seeds")
        void reads_back_whatever_its_strings_are(long seed) throws IOException {
            Random random = new Random(seed);
            SessionHeader header = SessionHeader.builder()
                    .id(SessionId.of("z" + ChunkRowLogs.text(random)))
                    .cwd("/" + ChunkRowLogs.text(random))
                    .member("x" + ChunkRowLogs.text(random), Json.of(ChunkRowLogs.text(random)))
                    .build();

            assertThat(ReadLog.of(ReadLog.write(header, List.of())).header())
                    .as("seed %d", seed)
                    .isEqualTo(header);
        }
    }

    @Nested
    class Events {

        @ParameterizedTest
        @MethodSource("io.surfacelog.transfer.JsonlWriterTest#seeds")
        void read_back_text_for_text_and_write_back_byte_for_byte(long seed) throws IOException {
            List<SessionEvent> events = ChunkRowLogs.random(new Random(seed), 150);

            byte[] file = ReadLog.write(PLAIN, events);
            ReadLog log = ReadLog.of(file);

            assertThat(log.verdict()).as("seed %d", seed).isEqualTo("ok");
            assertThat(log.texts())
                    .as("seed %d", seed)
                    .isEqualTo(events.stream().map(SessionEvent::toText).toList());
            assertThat(log.rewritten()).as("seed %d", seed).isEqualTo(file);
        }

        @Test
        void keep_a_lone_surrogate_as_an_escape() throws IOException {
            SessionEvent event = SessionEvent.of(0, 1, "hook/a", JsonText.of(Json.of("\uD83D\0\u2028😀")), null, false);

            assertThat(text(PLAIN, List.of(event))).contains("\"data\":\"\\ud83d\\u0000\u2028😀\"}\n");
        }

        @Test
        void must_come_in_their_order() throws IOException {
            try (JsonlWriter writer = JsonlWriter.open(new ByteArrayOutputStream(), PLAIN)) {
                writer.write(turn(0));
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> writer.write(turn(2)))
                        .withMessageContaining("seq 1, found 2");
            }
        }

        @Test
        void of_an_open_run_are_written_by_a_flush() throws IOException {
            List<SessionEvent> run = LongStream.range(0, 6)
                    .mapToObj(seq -> SessionEvent.of(
                            seq,
                            seq,
                            EventType.ASSISTANT_CHUNK,
                            JsonText.of(AssistantChunk.of(1, 1, StreamChunk.text(0, "t"))
                                    .json()),
                            null,
                            false))
                    .toList();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (JsonlWriter writer = JsonlWriter.open(out, PLAIN)) {
                for (SessionEvent event : run.subList(0, 3)) {
                    writer.write(event);
                }
                writer.flush();
                assertThat(ReadLog.of(out.toByteArray()).events()).hasSize(3);
                for (SessionEvent event : run.subList(3, 6)) {
                    writer.write(event);
                }
            }
            assertThat(out.toString(StandardCharsets.UTF_8).lines()).hasSize(3);
            assertThat(ReadLog.of(out.toByteArray()).events()).hasSize(6);
        }
    }

    @Nested
    class Streams {

        @Test
        void are_closed_once_and_also_when_writing_fails() throws IOException {
            int[] closed = {0};
            OutputStream full = new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    throw new IOException("disk full");
                }

                @Override
                public void close() {
                    closed[0]++;
                }
            };
            JsonlWriter writer = JsonlWriter.open(full, PLAIN);
            writer.write(turn(0));

            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(writer::close)
                    .withMessage("disk full");
            writer.close();

            assertThat(closed[0]).isEqualTo(1);
        }

        @Test
        void of_any_length_pass_through_writer_and_reader_with_little_held_between() throws IOException {
            long events = 200_000;
            try (WrittenOnDemand log = new WrittenOnDemand(events);
                    JsonlReader reader = JsonlReader.open(log, EventLimits.defaults())) {
                long read = 0;
                for (JsonlLine line = reader.next(); line != null; line = reader.next()) {
                    read += line.events().size();
                    long held = log.given - line.offset() - line.bytes() + log.written.size();
                    assertThat(held).isLessThanOrEqualTo(3L << 16);
                }
                assertThat(read).isEqualTo(events);
                assertThat(log.given).isGreaterThan(100 << 16);
            }
        }
    }

    /** A log that is written only as far as it is read. */
    private static final class WrittenOnDemand extends InputStream {

        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private final JsonlWriter writer = JsonlWriter.open(written, PLAIN);
        private final long events;
        private byte[] batch = {};
        private int place;
        private long next;
        private long given;

        WrittenOnDemand(long events) throws IOException {
            this.events = events;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            while (place == batch.length) {
                if (next < events) {
                    writer.write(turn(next++));
                } else {
                    writer.close();
                    if (written.size() == 0) {
                        return -1;
                    }
                }
                batch = written.toByteArray();
                written.reset();
                place = 0;
            }
            int count = Math.min(length, batch.length - place);
            System.arraycopy(batch, place, into, offset, count);
            place += count;
            given += count;
            return count;
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    private static SessionEvent turn(long seq) {
        return SessionEvent.of(seq, seq, EventType.TURN_START, JsonText.ofCompact("{\"turn\":1}"), null, false);
    }

    private static String text(SessionHeader header, List<SessionEvent> events) throws IOException {
        return new String(ReadLog.write(header, events), StandardCharsets.UTF_8);
    }
}
