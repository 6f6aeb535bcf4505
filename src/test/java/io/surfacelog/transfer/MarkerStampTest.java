package io.surfacelog.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.ChunkRowLogs;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkerStampTest {

    private static final String HEADER = "{\"type\":\"session\",\"version\":0,\"id\":\"z\",\"createdAt\":1}\n";
    private static final String TURN = "{\"type\":\"turn/start\",\"seq\":0,\"time\":1,\"data\":{\"turn\":1}}\n";
    private static final String USER = "{\"type\":\"user/message\",\"seq\":1,\"time\":1,\"data\":{}}\n";
    private static final String ROW =
            "{\"type\":\"text-chunks\",\"seq0\":2,\"time0\":5,\"data\":{\"turn\":1,\"step\":1,\"index\":0,\"dt\":[1,1],\"texts\":[\"a\",\"b\",\"c\"]}}\n";
    private static final String RESULT = "{\"type\":\"tool/result\",\"seq\":5,\"time\":1,\"data\":{}}\n";

    @Test
    void a_log_without_any_marker_gets_append_on_every_surface_event_and_nowhere_else() throws IOException {
        String file = HEADER + TURN + USER + ROW + RESULT;

        assertThat(survey(file).stamps()).isTrue();
        assertThat(stamped(file))
                .filteredOn(text -> text.contains("surfaceOp"))
                .containsExactly(
                        USER.strip().replace("}}", "},\"surfaceOp\":\"append\"}"),
                        RESULT.strip().replace("}}", "},\"surfaceOp\":\"append\"}"));
        assertThat(stamped(file)).hasSize(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"append\"", "null", "{\"op\":\"replace\",\"start\":1,\"end\":1}", "7"})
    void a_log_with_some_markers_is_left_for_admission_to_refuse(String marker) throws IOException {
        String file = HEADER + TURN + USER + ROW + RESULT.replace("}}", "},\"surfaceOp\":" + marker + "}");

        assertThat(survey(file).stamps()).isFalse();
        assertThat(stamped(file)).isEqualTo(ReadLog.of(bytes(file)).texts());
    }

    @Test
    void a_marker_on_a_log_only_event_does_not_count() throws IOException {
        String file = HEADER + TURN.replace("}}", "},\"surfaceOp\":\"append\"}") + USER;

        assertThat(survey(file).stamps()).isTrue();
    }

    @Test
    void a_log_without_surface_events_has_nothing_to_stamp() throws IOException {
        assertThat(survey(HEADER + TURN).stamps()).isFalse();
        assertThat(survey(HEADER).stamps()).isFalse();
    }

    @Test
    void damage_ends_the_survey_and_is_left_for_the_second_pass_to_refuse() throws IOException {
        String file = HEADER + TURN + USER + "{bad\n" + RESULT.replace("}}", "},\"surfaceOp\":\"append\"}");

        assertThat(survey(file).stamps()).isTrue();
        assertThatExceptionOfType(AdmissionException.class)
                .isThrownBy(() -> stamped(file))
                .satisfies(refusal -> assertThat(refusal.line()).hasValue(4));
    }

    @Test
    void an_event_that_its_marker_makes_too_large_is_refused_at_its_line() {
        String head = USER.strip().substring(0, USER.strip().length() - 2) + "\"x\":\"";
        String file = HEADER + TURN + head + "y".repeat(1_024 - head.length() - 3) + "\"}}\n";

        assertThatExceptionOfType(AdmissionException.class)
                .isThrownBy(() -> stamped(file, new EventLimits(1_024)))
                .satisfies(refusal -> assertThat(refusal.rule().code()).isEqualTo("limit.event-bytes"))
                .satisfies(refusal -> assertThat(refusal.at()).hasValue(1))
                .satisfies(refusal -> assertThat(refusal.line()).hasValue(3));
    }

    private static MarkerStamp survey(String file) throws IOException {
        return survey(file, EventLimits.defaults());
    }

    private static MarkerStamp survey(String file, EventLimits limits) throws IOException {
        try (JsonlReader reader = JsonlReader.open(new ByteArrayInputStream(bytes(file)), limits)) {
            return MarkerStamp.survey(reader);
        }
    }

    private static List<String> stamped(String file) throws IOException {
        return stamped(file, EventLimits.defaults());
    }

    private static List<String> stamped(String file, EventLimits limits) throws IOException {
        MarkerStamp stamp = survey(file, limits);
        List<EventCandidate> events = new ArrayList<>();
        try (JsonlReader reader = JsonlReader.open(new ByteArrayInputStream(bytes(file)), limits)) {
            for (JsonlLine line = reader.next(); line != null; line = reader.next()) {
                events.addAll(stamp.apply(line).events());
            }
        }
        return events.stream().map(ChunkRowLogs::textOf).toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
