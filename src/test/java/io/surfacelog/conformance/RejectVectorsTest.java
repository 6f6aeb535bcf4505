package io.surfacelog.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.SessionHeader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** reject.ndjson: logs broken in exactly one way, and session headers. */
class RejectVectorsTest {

    /** What the recorded implementation calls otherwise. */
    private static final Map<String, String> OUR_RULE =
            Map.of("load.unknown-type", "type.undeclared", "load.bad-turn-end", "payload.shape", "crash", "envelope");

    private static final Set<String> ACCEPTED_BY_US = Set.of("load/turn-end-extra-key", "header/cwd/windows");

    @Test
    void every_broken_log_is_refused_by_its_rule_at_its_place() {
        List<JsonObject> logs = kind("log").stream()
                .filter(vector -> !ACCEPTED_BY_US.contains(vector.string("mut").orElseThrow()))
                .toList();

        Vectors.agree(logs, 1180, RejectVectorsTest::difference);
    }

    @Test
    void every_header_is_judged_as_recorded() {
        Vectors.agree(kind("header"), 60, vector -> {
            boolean accepted = vector.isTrue("ok")
                    || ACCEPTED_BY_US.contains(vector.string("mut").orElseThrow());
            String expected = accepted ? "accepted" : vector.string("rule").orElseThrow();
            String found = verdict(vector);
            return found.equals(expected) ? null : "expected " + expected + ", found " + found;
        });
    }

    @Test
    void a_refused_log_is_admitted_up_to_the_event_before() {
        List<JsonObject> logs = kind("log").stream()
                .filter(vector -> vector.has("log"))
                .filter(vector -> !ACCEPTED_BY_US.contains(vector.string("mut").orElseThrow()))
                .toList();

        Vectors.agree(logs, logs.size(), vector -> {
            int at = (int) Vectors.number(vector, "at");
            FoldedLog before = FoldedLog.of(Vectors.items(vector, "log").subList(0, at));
            return before.surface().nextSeq() == at ? null : "folded " + before.surface();
        });
        assertThat(logs).hasSizeGreaterThan(1_000);
    }

    private static List<JsonObject> kind(String kind) {
        return Vectors.read("reject").stream()
                .filter(vector -> vector.string("kind").orElseThrow().equals(kind))
                .toList();
    }

    private static @Nullable String difference(JsonObject vector) {
        String recorded = vector.string("rule").orElseThrow();
        String expected = OUR_RULE.getOrDefault(recorded, recorded) + " at " + Vectors.number(vector, "at");
        String found;
        try {
            if (vector.has("lines")) {
                FoldedLog.ofTexts(Vectors.items(vector, "lines").stream()
                        .map(line -> ((JsonString) line).value())
                        .toList());
            } else {
                FoldedLog.of(Vectors.items(vector, "log"));
            }
            found = "accepted";
        } catch (AdmissionException e) {
            found = e.rule().code() + " at " + e.at().orElse(-1);
        }
        return found.equals(expected) ? null : "expected " + expected + ", found " + found;
    }

    private static String verdict(JsonObject vector) {
        try {
            SessionHeader header =
                    SessionHeader.of(Json.parse(vector.string("header").orElseThrow()));
            return header.id().value().equals(vector.string("sessionId").orElseThrow()) ? "accepted" : "head.id";
        } catch (AdmissionException e) {
            return e.rule().code();
        }
    }
}
