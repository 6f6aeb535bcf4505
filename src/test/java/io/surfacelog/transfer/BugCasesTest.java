package io.surfacelog.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.testing.SharedFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kinds of fault that people have reported, as far as reading and writing a file goes. */
class BugCasesTest {

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "B01.jsonl, seq.contiguous@10, 8",
        "B03.jsonl, seq.contiguous@8, 6",
        "B04.jsonl, seq.contiguous@6, 4",
        "B19.jsonl, ok, 7",
        "B21.jsonl, ok, 4",
        "B23.jsonl, ok, 3",
        "B25.jsonl, ok, 8",
        "B25b.jsonl, ok, 6",
        "B26.jsonl, json.syntax@4, 2",
        "B29a.jsonl, json.lossless@3, 1",
        "B29b.jsonl, json.lossless@3, 1",
        "B35.jsonl, seq.contiguous@6, 4",
        "B36.jsonl, ok, 15",
        "B49.jsonl, ok, 11"
    })
    void every_case_is_read_or_refused_at_its_line(String name, String verdict, int events) throws IOException {
        ReadLog log = ReadLog.of(SharedFolder.bugCase(name));

        assertThat(log.verdict()).isEqualTo(verdict);
        assertThat(log.events()).hasSize(events);
    }

    @Test
    void B01_names_the_seq_that_came_twice() throws IOException {
        assertThat(ReadLog.of(SharedFolder.bugCase("B01.jsonl")).fault().orElseThrow())
                .hasMessageContaining("expected seq 8, found 5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"B04.jsonl", "B35.jsonl"})
    void B04_and_B35_are_good_up_to_the_line_that_is_refused(String name) throws IOException {
        assertThat(ReadLog.of(SharedFolder.bugCase(name)).goodBytes()).isEqualTo(570);
    }

    @Test
    void B08_a_newer_version_is_told_as_a_version_and_never_as_damage() throws IOException {
        byte[] file = SharedFolder.bugCase("B08.jsonl");

        assertThatExceptionOfType(AdmissionException.class)
                .isThrownBy(() -> ReadLog.of(file))
                .satisfies(refusal -> assertThat(refusal.rule()).isEqualTo(AdmissionRule.HEAD_VERSION))
                .satisfies(refusal -> assertThat(refusal.line()).hasValue(1))
                .withMessageContaining("found 3")
                .withMessageContaining("newer");
    }

    @Test
    void B19_the_clock_may_step_back_inside_a_row() throws IOException {
        ReadLog log = ReadLog.of(SharedFolder.bugCase("B19.jsonl"));

        assertThat(log.events().subList(4, 7))
                .extracting(EventCandidate::time)
                .containsExactly(1_790_000_000_099L, 1_790_000_000_100L, 1_790_000_000_095L);
    }

    @ParameterizedTest
    @CsvSource({"B21.jsonl, 670, 64", "B23.jsonl, 427, 222"})
    void B21_and_B23_bytes_after_the_last_line_end_are_a_torn_tail(String name, long kept, long torn)
            throws IOException {
        ReadLog log = ReadLog.of(SharedFolder.bugCase(name));

        assertThat(log.goodBytes()).isEqualTo(kept);
        assertThat(log.tornBytes()).isEqualTo(torn);
    }

    @Test
    void B25_line_separators_of_Unicode_are_text_and_come_back_raw() throws IOException {
        byte[] file = SharedFolder.bugCase("B25b.jsonl");

        assertThat(ReadLog.of(file).texts().get(2)).contains("a\u2028b\u2029c\u0085def");
        assertThat(ReadLog.of(file).rewritten()).isEqualTo(file);
    }

    @Test
    void B25_the_events_of_a_file_with_CRLF_are_those_of_the_file_without() throws IOException {
        String file = new String(SharedFolder.bugCase("B25.jsonl"), StandardCharsets.UTF_8);

        assertThat(ReadLog.of(file.getBytes(StandardCharsets.UTF_8)).rewritten())
                .isEqualTo(file.replace("\r", "").getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void B29_numbers_come_back_digit_for_digit() throws IOException {
        String file = new String(SharedFolder.bugCase("B29a.jsonl"), StandardCharsets.UTF_8).replace("\"neg\":-0,", "");

        ReadLog log = ReadLog.of(file.getBytes(StandardCharsets.UTF_8));

        assertThat(log.verdict()).isEqualTo("ok");
        assertThat(new String(log.rewritten(), StandardCharsets.UTF_8)).isEqualTo(file);
    }

    @Test
    void B36_packs_line_by_line_as_expected_and_unpacks_to_the_same() throws IOException {
        byte[] file = SharedFolder.bugCase("B36.jsonl");
        String expected = new String(SharedFolder.bugCase("B36.packed.expected.jsonl"), StandardCharsets.UTF_8);

        byte[] packed = ReadLog.of(file).rewritten();

        String[] lines = new String(packed, StandardCharsets.UTF_8).split("\n", 2);
        assertThat(lines[1]).isEqualTo(expected);
        assertThat(ReadLog.of(packed).texts()).isEqualTo(ReadLog.of(file).texts());
    }

    @Test
    void B49_extra_members_of_log_only_events_and_packed_rows_are_kept() throws IOException {
        byte[] file = SharedFolder.bugCase("B49.jsonl");

        assertThat(new String(ReadLog.of(file).rewritten(), StandardCharsets.UTF_8))
                .contains("\"origin\":\"default\"", "\"version\":2", "reasoning-chunks")
                .isEqualTo(new String(file, StandardCharsets.UTF_8));
    }
}
