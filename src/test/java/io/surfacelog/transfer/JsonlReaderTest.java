package io.surfacelog.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.SessionId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonlReaderTest {

    private static final String HEADER = "{\"type\":\"session\",\"version\":0,\"id\":\"z\",\"createdAt\":1}\n";
    private static final String EVENT = "{\"type\":\"turn/start\",\"seq\":0,\"time\":1,\"data\":{\"turn\":1}}\n";
    private static final String ROW =
            "{\"type\":\"text-chunks\",\"seq0\":1,\"time0\":5,\"data\":{\"turn\":1,\"step\":1,\"index\":0,\"dt\":[1,1],\"texts\":[\"a\",\"b\",\"c\"]}}\n";

    @Nested
    class Header {

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{'version':9}|head.version",
                    "{'type':'journal','version':1,'id':'z'}|head.version",
                    "{'type':'session','version':'0'}|head.version",
                    "{'type':'session'}|head.version",
                    "{'id':'z'}|head.record",
                    "{'type':'journal','version':0,'id':'z','createdAt':1}|head.record",
                    "{'version':0,'id':'z','createdAt':1}|head.record",
                    "{'type':'turn/start','seq':0,'time':1,'data':{'turn':1}}|head.record",
                    "[]|head.record",
                    "{'type':'session','version':0,'id':'z','createdAt':-1}|head.created-at",
                    "{'type':'session','version':0,'id':'z','createdAt':1,'x':-0}|json.lossless",
                    "{'type':'session','version':0,'version':0,'id':'z','createdAt':1}|json.syntax",
                    "{'type':'session'|json.syntax",
                    "' '|json.syntax"
                })
        void is_refused_by_the_first_rule_that_it_breaks(String record, String rule) {
            assertThat(headerFault(record.replace('\'', '"') + "\n" + EVENT)).isEqualTo(rule);
        }

        @Test
        void is_refused_behind_a_byte_order_mark() {
            assertThat(headerFault("\uFEFF" + HEADER)).isEqualTo("json.syntax");
        }

        @Test
        void is_missing_from_an_empty_file_and_torn_without_its_line_end() {
            assertThat(headerFault("")).isEqualTo("head.record");
            assertThat(headerFault(HEADER.strip())).isEqualTo("head.record");
        }

        @Test
        void may_spell_its_version_as_it_likes() throws IOException {
            assertThat(ReadLog.of(bytes(HEADER.replace(":0,", ":0.0,")))
                            .header()
                            .id()
                            .value())
                    .isEqualTo("z");
        }

        @Test
        void of_another_session_is_refused_when_one_is_expected() throws IOException {
            try (JsonlReader reader = open(HEADER)) {
                reader.requireId(SessionId.of("z"));
                assertThatExceptionOfType(AdmissionException.class)
                        .isThrownBy(() -> reader.requireId(SessionId.of("other")))
                        .satisfies(refusal -> assertThat(refusal.rule().code()).isEqualTo("head.id"))
                        .satisfies(refusal -> assertThat(refusal.line()).hasValue(1))
                        .withMessageContaining("\"other\"")
                        .withMessageContaining("\"z\"");
            }
        }

        private static String headerFault(String file) {
            boolean[] closed = {false};
            InputStream in = new ByteArrayInputStream(bytes(file)) {
                @Override
                public void close() {
                    closed[0] = true;
                }
            };
            String[] rule = {""};
            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> JsonlReader.open(in, EventLimits.defaults()))
                    .satisfies(refusal -> assertThat(refusal.line()).hasValue(1))
                    .satisfies(refusal -> assertThat(refusal.at()).isEmpty())
                    .satisfies(refusal -> rule[0] = refusal.rule().code());
            assertThat(closed[0]).as("the stream is closed").isTrue();
            return rule[0];
        }
    }

    @Nested
    class Lines {

        @Test
        void come_with_number_offset_length_and_index_of_their_first_event() throws IOException {
            try (JsonlReader reader = open(HEADER + EVENT + ROW + EVENT)) {
                assertThat(place(next(reader)))
                        .isEqualTo("2 at %d+%d: 1 from 0".formatted(HEADER.length(), EVENT.length()));
                JsonlLine row = next(reader);
                assertThat(place(row))
                        .isEqualTo("3 at %d+%d: 3 from 1".formatted(HEADER.length() + EVENT.length(), ROW.length()));
                assertThat(row.events()).extracting(EventCandidate::seq).containsExactly(1L, 2L, 3L);
                assertThat(row.events()).extracting(EventCandidate::time).containsExactly(5L, 6L, 7L);
                assertThat(place(next(reader))).startsWith("4 at ").endsWith(": 1 from 4");
                assertThat(reader.next()).isNull();
                assertThat(reader.next()).isNull();
            }
        }

        @Test
        void may_be_read_from_a_file(@TempDir Path directory) throws IOException {
            Path file = Files.writeString(directory.resolve("log.jsonl"), HEADER + EVENT);
            try (JsonlReader reader = JsonlReader.open(file, EventLimits.defaults())) {
                assertThat(next(reader).events()).hasSize(1);
            }
        }

        @Test
        void allow_white_space_around_a_record_and_between_its_tokens() throws IOException {
            ReadLog log =
                    ReadLog.of(bytes(HEADER + " \t" + EVENT.replace(":", " :\r").replace("\n", " \r\n")));

            assertThat(log.verdict()).isEqualTo("ok");
            assertThat(log.texts()).containsExactly(EVENT.strip());
        }

        private static String place(JsonlLine line) {
            return line.number() + " at " + line.offset() + "+" + line.bytes() + ": "
                    + line.events().size() + " from " + line.firstIndex();
        }
    }

    @Nested
    class Faults {

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "''|json.syntax|-1",
                    "{bad|json.syntax|-1",
                    "{} {}|json.syntax|-1",
                    "{'type':'a','type':'a','seq':4,'time':1,'data':1}|json.syntax|-1",
                    "x|json.syntax|-1",
                    "5|envelope|4",
                    "null|envelope|4",
                    "{'type':'a','seq':4,'time':1}|envelope|4",
                    "{'type':'a','seq':4,'time':1,'data':-0}|json.lossless|4",
                    "{'type':'a','seq':4,'time':1,'data':1e400}|json.lossless|4",
                    "{'type':'text-chunks','seq0':4,'time0':1,'data':null}|row.data|4",
                    "{'type':'text-chunks','seq0':4,'time0':1,'data':{'turn':1,'step':1,'index':0,'dt':[],'texts':['a','b','c']}}|row.dt-length|4"
                })
        void name_the_line_and_the_event_where_there_is_one(String line, String rule, long at) throws IOException {
            String text = line.equals("''") ? "" : line.replace('\'', '"');
            ReadLog log = ReadLog.of(bytes(HEADER + EVENT + ROW + text + "\n" + EVENT));

            assertThat(log.verdict()).isEqualTo(rule + "@4");
            assertThat(log.fault().orElseThrow().at().orElse(-1)).isEqualTo(at);
            assertThat(log.events()).hasSize(4);
            assertThat(log.goodBytes()).isEqualTo(HEADER.length() + EVENT.length() + ROW.length());
        }

        @ParameterizedTest
        @CsvSource({"'\r'", "' '", "'\u0000'", "'\uFEFF'"})
        void include_what_is_no_record(String line) throws IOException {
            assertThat(ReadLog.of(bytes(HEADER + line + "\n" + EVENT)).verdict())
                    .isEqualTo("json.syntax@2");
        }

        @Test
        void include_a_byte_order_mark_before_any_line() throws IOException {
            assertThat(ReadLog.of(bytes(HEADER + "\uFEFF" + EVENT)).verdict()).isEqualTo("json.syntax@2");
        }

        @Test
        void include_bytes_that_are_no_UTF_8() throws IOException {
            byte[] file = bytes(HEADER + EVENT + EVENT);
            file[file.length - 8] = (byte) 0xE9;

            assertThat(ReadLog.of(file).verdict()).isEqualTo("json.syntax@3");
        }

        @Test
        void name_the_member_of_a_row_that_is_too_large_and_give_out_none() throws IOException {
            String row = ROW.replace("\"b\"", "\"" + "b".repeat(2_000) + "\"");

            ReadLog log = ReadLog.of(bytes(HEADER + EVENT + row), new EventLimits(1_024));

            assertThat(log.verdict()).isEqualTo("limit.event-bytes@3");
            assertThat(log.fault().orElseThrow().at()).hasValue(2);
            assertThat(log.events()).hasSize(1);
        }

        @Test
        void name_the_event_that_is_nested_too_deeply() throws IOException {
            String deep =
                    "{\"type\":\"a\",\"seq\":0,\"time\":1,\"data\":" + "[".repeat(2_000) + "]".repeat(2_000) + "}";

            ReadLog log = ReadLog.of(bytes(HEADER + deep + "\n"));

            assertThat(log.verdict()).isEqualTo("limit.depth@2");
            assertThat(log.fault().orElseThrow().at()).hasValue(0);
        }

        @Test
        void are_thrown_again_when_asked_again() throws IOException {
            try (JsonlReader reader = open(HEADER + "{bad\n" + EVENT)) {
                for (int i = 0; i < 2; i++) {
                    assertThatExceptionOfType(AdmissionException.class)
                            .isThrownBy(reader::next)
                            .satisfies(refusal -> assertThat(refusal.line()).hasValue(2));
                }
                assertThat(reader.offset()).isEqualTo(HEADER.length());
            }
        }
    }

    @Nested
    class Tail {

        @Test
        void is_known_only_at_the_end() throws IOException {
            try (JsonlReader reader = open(HEADER + EVENT + "{\"type\"")) {
                assertThatIllegalStateException().isThrownBy(reader::tail);
                next(reader);
                assertThat(reader.next()).isNull();
                assertThat(reader.tail()).isEqualTo(new JsonlTail(HEADER.length() + EVENT.length(), 7, false));
                assertThat(reader.tail().isTorn()).isTrue();
            }
        }

        @Test
        void is_whole_where_the_last_line_has_its_end() throws IOException {
            try (JsonlReader reader = open(HEADER)) {
                assertThat(reader.next()).isNull();
                assertThat(reader.tail().isTorn()).isFalse();
            }
        }

        @Test
        void is_torn_even_if_it_looks_complete_or_is_malformed() throws IOException {
            ReadLog complete = ReadLog.of(bytes(HEADER + EVENT.strip()));
            assertThat(complete.verdict()).isEqualTo("ok");
            assertThat(complete.events()).isEmpty();

            byte[] malformed = bytes(HEADER + EVENT + "?");
            malformed[malformed.length - 1] = (byte) 0xFF;
            assertThat(ReadLog.of(malformed).tornBytes()).isEqualTo(1);
        }
    }

    @Nested
    class CutAtEveryByte {

        private static final String FILE = HEADER + EVENT + ROW
                + "{\"type\":\"user/message\",\"seq\":4,\"time\":9,\"data\":{\"id\":\"é漢😀\\ud83d\u2028\",\"role\":\"user\",\"source\":{\"kind\":\"user\"},\"content\":[]},\"surfaceOp\":\"append\"}\n"
                + "{\"type\":\"turn/end\",\"seq\":5,\"time\":10,\"data\":{\"turn\":1,\"reason\":{\"kind\":\"completed\"}}}\n";

        @Test
        void a_file_gives_its_complete_records_and_never_a_wrong_one() throws IOException {
            byte[] whole = bytes(FILE);
            ReadLog all = ReadLog.of(whole);
            assertThat(all.events()).hasSize(6);
            for (int length = 0; length <= whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                int kept = length;
                while (kept > 0 && cut[kept - 1] != '\n') {
                    kept--;
                }
                if (kept == 0) {
                    assertThatExceptionOfType(AdmissionException.class)
                            .as("cut at %d", length)
                            .isThrownBy(() -> ReadLog.of(cut))
                            .satisfies(
                                    refusal -> assertThat(refusal.rule().code()).isEqualTo("head.record"));
                    continue;
                }
                ReadLog log = ReadLog.of(cut);
                int events = new int[] {0, 1, 4, 5, 6}[(int) count(cut, kept) - 1];
                assertThat(log.verdict()).as("cut at %d", length).isEqualTo("ok");
                assertThat(log.texts())
                        .as("cut at %d", length)
                        .isEqualTo(all.texts().subList(0, events));
                assertThat(log.goodBytes()).as("cut at %d", length).isEqualTo(kept);
                assertThat(log.tornBytes()).as("cut at %d", length).isEqualTo(length - kept);
            }
        }

        private static long count(byte[] bytes, int end) {
            long lines = 0;
            for (int i = 0; i < end; i++) {
                lines += bytes[i] == '\n' ? 1 : 0;
            }
            return lines;
        }
    }

    private static JsonlReader open(String file) throws IOException {
        return JsonlReader.open(new ByteArrayInputStream(bytes(file)), EventLimits.defaults());
    }

    private static JsonlLine next(JsonlReader reader) throws IOException {
        return Objects.requireNonNull(reader.next());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
