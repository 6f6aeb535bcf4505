package io.surfacelog.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.ToolResult;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.SurfaceRules;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where Surfacelog decides otherwise than the recorded implementation, in the order in which the vectors list it. */
class DeliberateDifferencesTest {

    private static AdmissionException refusal(List<? extends Json> log) {
        return catchThrowableOfType(AdmissionException.class, () -> FoldedLog.of(log));
    }

    private static List<Json> log(JsonObject vector) {
        return Vectors.items(vector, "log");
    }

    @Nested
    class One_admission_at_every_door {

        @ParameterizedTest
        @CsvSource({
            "load/unknown-type, type.undeclared",
            "load/unknown-type-marker-removed, type.undeclared",
            "load/turn-end-no-reason, payload.shape",
            "load/turn-end-turn-zero, payload.shape",
            "load/turn-end-kind-number, payload.shape",
            "load/mode-set, legacy.mode-set",
        })
        void what_only_the_recorded_full_read_refuses_is_refused_at_once(String mutation, String rule) {
            List<JsonObject> vectors = Vectors.read("reject").stream()
                    .filter(vector -> vector.string("mut").orElseThrow().equals(mutation))
                    .toList();

            assertThat(vectors).isNotEmpty().allSatisfy(vector -> {
                assertThat(vector.string("boundary")).contains("load");
                AdmissionException refusal = refusal(log(vector));
                assertThat(refusal.rule().code()).isEqualTo(rule);
                assertThat(refusal.at()).hasValue(Vectors.number(vector, "at"));
            });
        }

        @ParameterizedTest
        @CsvSource({"oA5, payload.shape, 0", "oA17, message.content, 0", "oA11, type.undeclared, 0"})
        void a_log_that_the_recorded_full_read_cannot_take_is_refused(String id, String rule, long at) {
            AdmissionException refusal = refusal(log(Vectors.only("surface", id)));

            assertThat(refusal.rule().code()).isEqualTo(rule);
            assertThat(refusal.at()).hasValue(at);
        }

        @ParameterizedTest
        @ValueSource(strings = {"rA188", "rA189", "rA190", "rA191"})
        void a_null_in_place_of_an_event_is_an_envelope_fault(String id) {
            JsonObject vector = Vectors.only("reject", id);

            AdmissionException refusal = refusal(log(vector));

            assertThat(refusal.rule().code()).isEqualTo("envelope");
            assertThat(refusal.at()).hasValue(Vectors.number(vector, "at"));
        }
    }

    @Nested
    class Extra_members {

        @Test
        void a_turn_end_keeps_the_members_that_the_format_does_not_name() {
            List<JsonObject> vectors = Vectors.read("reject").stream()
                    .filter(vector -> vector.string("mut").orElseThrow().equals("load/turn-end-extra-key"))
                    .toList();

            assertThat(vectors).hasSize(4).allSatisfy(vector -> {
                FoldedLog folded = FoldedLog.of(log(vector));
                assertThat(folded.events().stream().map(SessionEvent::toJson).toList())
                        .isEqualTo(log(vector))
                        .asString()
                        .contains("\"note\":");
            });
        }
    }

    @Nested
    class Five_surface_types {

        @Test
        void a_context_message_without_a_marker_is_refused() {
            AdmissionException refusal = refusal(log(Vectors.tagged("surface", "odd:context-message-is-log-only")));

            assertThat(refusal.rule().code()).isEqualTo("surface.op-missing");
            assertThat(refusal.at()).hasValue(0);
        }

        @ParameterizedTest
        @ValueSource(strings = {"context/message", "steering/message"})
        void it_stands_on_the_surface_like_a_user_message(String type) {
            Json event = Json.parse(
                    "{\"type\":\"" + type + "\",\"seq\":0,\"time\":1,\"data\":{\"id\":\"c\",\"role\":\"user\","
                            + "\"source\":{\"kind\":\"memory\"},\"content\":[]},\"surfaceOp\":\"append\"}");

            FoldedLog folded = FoldedLog.of(List.of(event));

            assertThat(folded.surface().nodeSeqs()).containsExactly(0);
            assertThat(folded.surface().messages()).extracting(Message::id).containsExactly("c");
        }
    }

    @Nested
    class Working_directory {

        @ParameterizedTest
        @ValueSource(strings = {"C:\\\\x", "c:/x", "\\\\\\\\host\\\\share", "/", "/a/../b//"})
        void a_path_that_is_absolute_anywhere_is_absolute_here(String cwd) {
            Json header = Json.parse("{\"version\":0,\"id\":\"h\",\"createdAt\":1,\"cwd\":\"" + cwd + "\"}");

            assertThat(SessionHeader.of(header).cwd()).isPresent();
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "a/b", "./x", "~/x", "C:", "C:x", "\\\\x"})
        void any_other_path_is_refused(String cwd) {
            Json header = Json.parse("{\"version\":0,\"id\":\"h\",\"createdAt\":1,\"cwd\":\"" + cwd + "\"}");

            assertThat(catchThrowableOfType(AdmissionException.class, () -> SessionHeader.of(header))
                            .rule()
                            .code())
                    .isEqualTo("head.cwd");
        }
    }

    @Nested
    class Json_values {

        @Test
        void a_key_that_stands_twice_in_one_object_is_a_syntax_fault() {
            assertThat(JsonVectorsTest.DUPLICATE_KEYS).allSatisfy(id -> {
                JsonObject vector = Vectors.only("json", id);
                assertThat(vector.isTrue("ok")).isTrue();
                assertThat(JsonVectorsTest.verdict(vector.string("text").orElseThrow()))
                        .isEqualTo("json.syntax");
            });
        }

        @Test
        void a_text_that_breaks_both_rules_is_told_as_no_json() {
            assertThat(List.of("jA214", "jA223"))
                    .allSatisfy(id -> assertThat(JsonVectorsTest.verdict(
                                    Vectors.only("json", id).string("text").orElseThrow()))
                            .isEqualTo("json.syntax"));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "9007199254740993",
                    "1.0",
                    "0.10000000000000000001",
                    "1E2",
                    "1e-2000000000",
                    "1e-400",
                    "-1.50"
                })
        void digits_are_kept_as_written(String digits) {
            assertThat(Json.parse("[" + digits + "]").toText()).isEqualTo("[" + digits + "]");
        }

        @Test
        void nesting_beyond_the_limit_is_refused_by_its_own_rule() {
            assertThat(JsonVectorsTest.TOO_DEEP)
                    .allSatisfy(id -> assertThat(JsonVectorsTest.verdict(
                                    Vectors.only("json", id).string("text").orElseThrow()))
                            .isEqualTo("limit.depth"));
        }

        @ParameterizedTest
        @CsvSource({"1999, ok", "2000, limit.depth"})
        void the_event_object_is_the_first_of_two_thousand_levels(int levelsOfData, String verdict) {
            String data = "[".repeat(levelsOfData) + "]".repeat(levelsOfData);
            String event = "{\"type\":\"feedback/record\",\"seq\":0,\"time\":1,\"data\":" + data + "}";

            assertThat(JsonVectorsTest.verdict(event)).isEqualTo(verdict);
        }
    }

    @Nested
    class Type {

        @Test
        void an_empty_type_is_an_envelope_fault() {
            AdmissionException refusal = refusal(log(Vectors.tagged("surface", "odd:empty-type")));

            assertThat(refusal.rule().code()).isEqualTo("envelope");
            assertThat(refusal.at()).hasValue(0);
        }
    }

    @Nested
    class Recovery {

        private List<String> closers(String id) {
            return FoldedLog.of(log(Vectors.only("repair", id))).closers(FoldedLog.AS_RECORDED).stream()
                    .map(event -> event.payload() instanceof ToolResult result
                            ? result.callId() + " "
                                    + result.error().orElseThrow().code()
                            : event.type())
                    .toList();
        }

        @Test
        void a_replacing_copy_of_an_assistant_message_reopens_no_call() {
            assertThat(closers("pAh-replacement-assistant-copy-reopens-call")).containsExactly("step/end", "turn/end");
        }

        @Test
        void the_same_call_id_twice_in_one_message_is_two_calls() {
            assertThat(closers("pAh-same-call-id-twice-in-one-message"))
                    .containsExactly("k TOOL_NOT_STARTED", "k TOOL_NOT_STARTED", "step/end", "turn/end");
        }

        @Test
        void the_same_call_id_in_two_messages_is_two_calls() {
            // the one tool/call starts the first of the two
            assertThat(closers("pAh-same-call-id-in-two-messages"))
                    .containsExactly(
                            "j TOOL_NOT_STARTED",
                            "k TOOL_OUTCOME_UNKNOWN",
                            "k TOOL_NOT_STARTED",
                            "l TOOL_NOT_STARTED",
                            "step/end",
                            "turn/end");
        }
    }

    @Nested
    class No_marker_at_load {

        @Test
        void a_folded_log_has_the_events_it_came_with_and_no_end_seed_of_ours() {
            assertThat(Vectors.read("surface"))
                    .filteredOn(vector -> vector.string("load").orElseThrow().equals("ok"))
                    .allSatisfy(vector -> {
                        List<Json> log = log(vector);
                        boolean marked = !log.isEmpty()
                                && log.get(log.size() - 1).toText().contains("\"session/end-seed\"");
                        assertThat(FoldedLog.of(log).surface().nextSeq())
                                .isEqualTo(log.size())
                                .isEqualTo(Vectors.number(vector, "lenAfterCreate") - (marked ? 0 : 1));
                    });
        }

        @Test
        void recovery_adds_no_end_seed() {
            assertThat(Vectors.read("repair"))
                    .allSatisfy(vector -> assertThat(FoldedLog.of(log(vector)).closers(FoldedLog.AS_RECORDED))
                            .extracting(SessionEvent::type)
                            .doesNotContain("session/end-seed"));
        }
    }

    @Nested
    class Structure {

        @Test
        void findings_are_a_second_verdict_and_change_neither_admission_nor_surface() {
            SurfaceRules reporting = SurfaceRules.standard().with(StructureMode.REPORT);
            List<JsonObject> admitted = Vectors.read("surface").stream()
                    .filter(vector -> vector.string("load").orElseThrow().equals("ok"))
                    .toList();

            assertThat(admitted)
                    .allSatisfy(vector -> assertThat(
                                    FoldedLog.of(log(vector), reporting).nodes())
                            .isEqualTo(FoldedLog.of(log(vector)).nodes()));
            assertThat(admitted)
                    .anySatisfy(vector -> assertThat(FoldedLog.of(log(vector), reporting)
                                    .surface()
                                    .findings())
                            .isNotEmpty());
        }
    }
}
