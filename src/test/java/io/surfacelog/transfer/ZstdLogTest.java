package io.surfacelog.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.testing.LogBuilder;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A log in Zstandard frames holds what the plain one holds, and says so where it does not. */
class ZstdLogTest {

    private static final String HEADER =
            "{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"createdAt\":1,\"delegationDepth\":0}\n";

    private static String event(int seq) {
        return "{\"type\":\"turn/start\",\"seq\":" + seq + ",\"time\":5,\"data\":{\"turn\":1}}\n";
    }

    private static JsonlReader open(byte[] bytes) throws IOException {
        return JsonlReader.open(new ByteArrayInputStream(bytes), EventLimits.defaults());
    }

    private static AdmissionException refused(byte[] file) throws IOException {
        try {
            return ReadLog.of(file).fault().orElseThrow();
        } catch (AdmissionException atTheHeader) {
            return atTheHeader;
        }
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }

    @Nested
    class Written {

        @Test
        void decodes_to_the_plain_file_byte_for_byte_and_reads_back_as_the_same_log() {
            Seeds.forEach(100, seed -> {
                List<SessionEvent> log = SessionGenerator.any(seed).log();
                try {
                    byte[] compressed = ZstdFile.written("s", log);
                    byte[] plain = ZstdFile.plain("s", log);
                    assertThat(new ZstdInputStreamNoFinalizer(new ByteArrayInputStream(compressed)).readAllBytes())
                            .isEqualTo(plain);
                    ReadLog read = ReadLog.of(compressed);
                    assertThat(read.texts())
                            .isEqualTo(log.stream().map(SessionEvent::toText).toList());
                    assertThat(read.goodBytes()).isEqualTo(compressed.length);
                    assertThat(read.tornBytes()).isZero();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }

        @Test
        void has_the_header_alone_in_the_first_frame_and_a_frame_for_each_batch_and_no_empty_one() throws IOException {
            for (int batches : new int[] {0, 1, 3}) {
                LogBuilder log = LogBuilder.log();
                IntStream.range(0, batches * JsonlWriter.BATCH_EVENTS).forEach(i -> log.user("m" + i));

                List<String> frames = frames(ZstdFile.written("s", log.events()));

                assertThat(frames).hasSize(1 + batches);
                assertThat(frames.get(0).lines()).hasSize(1);
                assertThat(frames.subList(1, frames.size()))
                        .allSatisfy(frame -> assertThat(frame.lines()).hasSize(JsonlWriter.BATCH_EVENTS));
            }
        }

        @Test
        void ends_a_frame_early_if_its_text_is_long() throws IOException {
            LogBuilder log = LogBuilder.log();
            IntStream.range(0, 12).forEach(i -> log.user("x".repeat(1 << 20)));

            List<String> frames = frames(ZstdFile.written("s", log.events()));

            int line = frames.get(1).indexOf('\n') + 1;
            assertThat(frames).hasSizeGreaterThan(3);
            assertThat(frames.subList(1, frames.size() - 1))
                    .allSatisfy(frame -> assertThat(frame.length()).isBetween(4 << 20, (4 << 20) + line));
        }

        private static List<String> frames(byte[] file) throws IOException {
            List<Integer> ends = new ArrayList<>();
            byte[] all;
            try (ZstdFrames in = new ZstdFrames(new ByteArrayInputStream(file))) {
                in.whenVerified(() -> ends.add((int) in.verified()));
                all = in.readAllBytes();
            }
            List<String> frames = new ArrayList<>();
            for (int i = 0; i < ends.size(); i++) {
                int from = i == 0 ? 0 : ends.get(i - 1);
                frames.add(new String(all, from, ends.get(i) - from, UTF_8));
            }
            return frames;
        }
    }

    @Nested
    class Sweeps {

        private final ZstdFile file = ZstdFile.of(
                HEADER,
                event(0) + event(1) + event(2),
                event(3),
                "{\"type\":\"text-chunks\",\"seq0\":4,\"time0\":5,\"data\":{\"turn\":1,\"step\":1,\"index\":0,\"dt\":[1,1],"
                        + "\"texts\":[\"a\",\"b\u2028\",\"c\"]}}\n" + event(7),
                event(8) + event(9));

        private final List<String> all = texts(file.bytes());

        private List<String> texts(byte[] bytes) {
            try {
                return ReadLog.of(bytes).texts();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Test
        void a_file_cut_at_any_byte_keeps_its_complete_records_and_tells_the_rest() throws IOException {
            int[] eventsOfFrames = {0, 3, 4, 8, 10};
            for (int length = 0; length < file.bytes().length; length++) {
                byte[] cut = Arrays.copyOf(file.bytes(), length);
                if (length < file.ends().get(0)) {
                    try {
                        assertThat(ReadLog.of(cut).events()).isEmpty();
                    } catch (AdmissionException e) {
                        assertThat(e.rule()).as("cut at %d", length).isEqualTo(AdmissionRule.HEAD_RECORD);
                    }
                    continue;
                }
                ReadLog log = ReadLog.of(cut);
                int whole = file.whole(length);
                int sure = eventsOfFrames[file.ends().indexOf(whole)];
                assertThat(log.verdict()).as("cut at %d", length).isEqualTo("ok");
                assertThat(log.events().size()).as("cut at %d", length).isGreaterThanOrEqualTo(sure);
                assertThat(log.texts())
                        .as("cut at %d", length)
                        .isEqualTo(all.subList(0, log.events().size()));
                assertThat(log.goodBytes()).as("cut at %d", length).isEqualTo(whole);
                assertThat(log.tornBytes()).as("cut at %d", length).isEqualTo(length - whole);
            }
        }

        @Test
        void a_flipped_bit_is_refused_or_told_as_torn_or_changes_nothing() throws IOException {
            int same = 0;
            for (int bit = 0; bit < file.bytes().length * 8; bit++) {
                byte[] flipped = flipped(bit);
                ReadLog log;
                try {
                    log = ReadLog.of(flipped);
                } catch (AdmissionException atTheHeader) {
                    continue;
                }
                if (log.fault().isPresent()) {
                    continue;
                }
                if (log.tornBytes() > 0) {
                    assertThat(log.texts())
                            .as("bit %d", bit)
                            .isEqualTo(all.subList(0, log.events().size()));
                    continue;
                }
                assertThat(log.texts()).as("bit %d", bit).isEqualTo(all);
                assertThat(log.header().id().value()).as("bit %d", bit).isEqualTo("s");
                same++;
            }
            // bits that a decoder does not look at
            assertThat(same).isLessThan(30);
        }

        @Test
        void what_a_salvage_keeps_of_a_file_with_a_flipped_bit_is_never_wrong() throws IOException {
            int salvaged = 0;
            for (int bit = 0; bit < file.bytes().length * 8; bit++) {
                List<String> kept;
                try {
                    kept = salvage(flipped(bit));
                } catch (AdmissionException atTheHeader) {
                    continue;
                }
                assertThat(kept).as("bit %d", bit).isEqualTo(all.subList(0, kept.size()));
                salvaged++;
                if (bit / 8 >= file.ends().get(2)) {
                    assertThat(kept.size()).as("bit %d", bit).isGreaterThanOrEqualTo(4);
                }
            }
            assertThat(salvaged).isGreaterThan(file.bytes().length);
        }

        private byte[] flipped(int bit) {
            byte[] flipped = file.bytes().clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            return flipped;
        }

        private List<String> salvage(byte[] bytes) throws IOException {
            long before = Long.MAX_VALUE;
            try (JsonlReader reader = open(bytes)) {
                try {
                    for (JsonlLine line = reader.next(); line != null; line = reader.next()) {
                        if (line.events().get(0).seq() != line.firstIndex()) {
                            before = reader.leaveOut().firstLine();
                            break;
                        }
                    }
                } catch (AdmissionException e) {
                    JsonlRest rest = reader.leaveOut();
                    assertThat(rest.offset() + rest.bytes()).isEqualTo(bytes.length);
                    before = rest.firstLine();
                }
            }
            List<String> kept = new ArrayList<>();
            try (JsonlReader reader = open(bytes)) {
                for (long number = 2; number < before; number++) {
                    JsonlLine line = reader.next();
                    if (line == null) {
                        break;
                    }
                    line.events().forEach(one -> kept.add(io.surfacelog.event.ChunkRowLogs.textOf(one)));
                }
            }
            return kept;
        }
    }

    @Nested
    class Refused {

        @Test
        void a_frame_whose_checksum_fails_with_the_line_it_begins_at_and_its_byte() throws IOException {
            ZstdFile file = ZstdFile.of(HEADER, event(0) + event(1), event(2) + event(3));
            byte[] bytes = file.bytes().clone();
            bytes[bytes.length - 1] ^= 1;

            AdmissionException refusal = refused(bytes);

            assertThat(refusal.rule()).isEqualTo(AdmissionRule.FILE_FRAME);
            assertThat(refusal.line()).hasValue(4);
            assertThat(refusal.detail()).contains("at byte " + file.ends().get(1) + " of the file");
        }

        @Test
        void bytes_between_frames_which_have_no_line() throws IOException {
            ZstdFile file = ZstdFile.of(HEADER, event(0));

            AdmissionException refusal = refused(join(file.bytes(), "garbage".getBytes(UTF_8)));

            assertThat(refusal.rule()).isEqualTo(AdmissionRule.FILE_FRAME);
            assertThat(refusal.line()).isEmpty();
            assertThat(refusal.detail()).contains("at byte " + file.bytes().length + " of the file");
        }

        @Test
        void a_frame_without_a_checksum() throws IOException {
            byte[] bytes = join(ZstdFile.of(HEADER).bytes(), ZstdFile.frame(event(0), false));

            assertThat(refused(bytes).detail()).contains("found one without");
        }

        @Test
        void a_skippable_frame() throws IOException {
            byte[] skippable = {0x50, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 'h', 'i'};

            assertThat(refused(join(ZstdFile.of(HEADER).bytes(), skippable)).detail())
                    .contains("skippable");
            assertThat(refused(join(skippable, ZstdFile.of(HEADER).bytes())).detail())
                    .contains("skippable");
        }

        @Test
        void a_window_that_would_take_gigabytes_before_any_of_it_is_allocated() throws IOException {
            byte[] hostile = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0x04, (byte) (21 << 3), 0x01, 0, 0, 0, 0, 0, 0};
            byte[] oneSegment = {
                0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, (byte) 0xE4, 0, 0, 0, 0, 1, 0, 0, (byte) 0x80, 1, 0, 0, 0, 0, 0
            };

            assertThat(refused(hostile).detail())
                    .contains("a window of at most 134217728 bytes, found one of 2147483648");
            assertThat(refused(oneSegment).detail()).contains("a window of at most");
        }
    }

    @Test
    void a_long_run_of_nothing_is_read_past_and_not_held() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(ZstdFile.of(HEADER, event(0)).bytes());
        try (ZstdOutputStreamNoFinalizer out = new ZstdOutputStreamNoFinalizer(bytes, 1).setChecksum(true)) {
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 1_500; i++) {
                out.write(zeros, 0, zeros.length);
            }
        }

        ReadLog log = ReadLog.of(bytes.toByteArray());

        assertThat(log.verdict()).isEqualTo("ok");
        assertThat(log.events()).hasSize(1);
        assertThat(log.tornBytes()).isPositive();
    }

    @Test
    void a_record_without_its_line_end_in_whole_frames_is_torn_from_the_frame_it_begins_in() throws IOException {
        ZstdFile file = ZstdFile.of(
                HEADER,
                event(0) + event(1).substring(0, 20),
                event(1).substring(20).strip());

        try (JsonlReader reader = open(file.bytes())) {
            assertThat(reader.next()).isNotNull();
            assertThat(reader.next()).isNull();
            long second = file.ends().get(0);
            assertThat(reader.tail()).isEqualTo(new JsonlTail(second, file.bytes().length - second, true));
        }
    }

    @Test
    void a_line_may_go_on_in_the_next_frame() throws IOException {
        ZstdFile file = ZstdFile.of(
                HEADER.substring(0, 9), HEADER.substring(9) + event(0).substring(0, 5), event(0).substring(5));

        assertThat(ReadLog.of(file.bytes()).events()).hasSize(1);
        assertThat(ReadLog.of(file.bytes()).tornBytes()).isZero();
    }

    @Test
    void what_is_left_out_is_counted_as_far_as_it_decodes() throws IOException {
        ZstdFile file = ZstdFile.of(HEADER, event(0) + event(7) + event(2), event(3));
        byte[] damaged = file.bytes().clone();
        damaged[damaged.length - 1] ^= 1;

        assertThat(rest(file.bytes(), 3))
                .isEqualTo(new JsonlRest(
                        3, file.ends().get(0), file.bytes().length - file.ends().get(0), OptionalLong.of(3)));
        assertThat(rest(damaged, 3).lines()).isEmpty();
        assertThat(rest(damaged, 3).firstLine()).isEqualTo(3);
    }

    private static JsonlRest rest(byte[] file, long refusedLine) throws IOException {
        try (JsonlReader reader = open(file)) {
            for (long line = 1; line < refusedLine; line++) {
                assertThat(reader.next()).isNotNull();
            }
            return reader.leaveOut();
        }
    }

    @Test
    void a_fault_within_a_frame_that_turns_out_to_be_damaged_takes_the_whole_frame_with_it() throws IOException {
        // longer than what is decoded at once, so that its lines are read before its checksum is
        String longLine = event(3).replace("{\"turn\":1}", "{\"turn\":1,\"x\":\"" + "x".repeat(300_000) + "\"}");
        ZstdFile file = ZstdFile.of(HEADER, event(0), event(1) + event(2) + event(9) + longLine);
        byte[] damaged = file.bytes().clone();
        damaged[damaged.length - 1] ^= 1;

        assertThat(rest(file.bytes(), 5).firstLine()).isEqualTo(5);
        assertThat(rest(damaged, 5).firstLine()).isEqualTo(3);
    }

    @Test
    void a_plain_file_with_a_flipped_bit_differs_in_no_line_but_the_one_it_is_in() throws IOException {
        String text = HEADER + event(0) + event(1) + event(2);
        byte[] whole = text.getBytes(UTF_8);
        List<String> all = ReadLog.of(whole).texts();
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            int line = (int) text.substring(0, bit / 8)
                            .chars()
                            .filter(c -> c == '\n')
                            .count()
                    - 1;
            ReadLog log;
            try {
                log = ReadLog.of(flipped);
            } catch (AdmissionException atTheHeader) {
                assertThat(line).isLessThanOrEqualTo(0);
                continue;
            }
            if (log.fault().isEmpty() && log.tornBytes() == 0) {
                assertThat(log.texts()).as("bit %d", bit).hasSize(all.size());
            }
            for (int i = 0; i < log.texts().size(); i++) {
                if (i != line) {
                    assertThat(log.texts().get(i)).as("bit %d", bit).isEqualTo(all.get(i));
                }
            }
        }
    }

    @Test
    void an_empty_file_and_one_of_nothing_but_a_frame_s_beginning_have_no_header() {
        for (byte[] file : List.of(
                new byte[0], new byte[] {0x28, (byte) 0xB5}, ZstdFile.of("").bytes())) {
            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> ReadLog.of(file))
                    .satisfies(e -> assertThat(e.rule()).isEqualTo(AdmissionRule.HEAD_RECORD))
                    .satisfies(e -> assertThat(e.line()).hasValue(1));
        }
    }
}
