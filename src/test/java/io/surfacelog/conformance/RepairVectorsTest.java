package io.surfacelog.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.surface.RecoverySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** repair.ndjson: crash prefixes and the closers that balance them. */
class RepairVectorsTest {

    /** Decided otherwise; {@link DeliberateDifferencesTest} says how. */
    private static final Set<String> DECIDED_OTHERWISE = Set.of(
            "pAh-replacement-assistant-copy-reopens-call",
            "pAh-same-call-id-twice-in-one-message",
            "pAh-same-call-id-in-two-messages");

    private final List<JsonObject> vectors = Vectors.read("repair").stream()
            .filter(vector -> !DECIDED_OTHERWISE.contains(Vectors.id(vector)))
            .toList();

    @Test
    void every_crash_prefix_is_closed_as_recorded() {
        Vectors.agree(vectors, 336, vector -> eachCut(vector, RepairVectorsTest::difference));
    }

    @Test
    void the_hand_written_cases_are_among_them() {
        assertThat(vectors)
                .filteredOn(vector -> Vectors.id(vector).startsWith("pAh-"))
                .hasSize(16);
    }

    @Test
    void a_second_recovery_adds_nothing_whatever_the_switches() {
        List<RecoverySettings> all = List.of(
                new RecoverySettings(false, false),
                new RecoverySettings(true, false),
                new RecoverySettings(false, true),
                RecoverySettings.defaults());

        Vectors.agree(
                vectors,
                336,
                vector -> eachCut(vector, (cut, log) -> {
                    for (RecoverySettings settings : all) {
                        FoldedLog recovered = log.recovered(settings);
                        if (!recovered.closers(settings).isEmpty()) {
                            return settings + " adds again " + recovered.closers(settings);
                        }
                        if (recovered.surface().hasOpenTurn()) {
                            return settings + " leaves a turn open";
                        }
                    }
                    return null;
                }));
    }

    private interface CutVerdict {
        @Nullable
        String of(JsonObject cut, FoldedLog log);
    }

    private static @Nullable String eachCut(JsonObject vector, CutVerdict verdict) {
        for (Json item : Vectors.items(vector, "cuts")) {
            JsonObject cut = (JsonObject) item;
            int n = (int) Vectors.number(cut, "n");
            String difference =
                    verdict.of(cut, FoldedLog.of(Vectors.items(vector, "log").subList(0, n)));
            if (difference != null) {
                return "cut at " + n + ": " + difference;
            }
        }
        return null;
    }

    private static @Nullable String difference(JsonObject cut, FoldedLog log) {
        List<Json> closers = new ArrayList<>();
        log.closers(FoldedLog.AS_RECORDED).forEach(closer -> closers.add(FoldedLog.words(closer)));
        FoldedLog recovered = log.recovered(FoldedLog.AS_RECORDED);
        JsonObject found = JsonObject.builder()
                .put("closers", JsonArray.of(closers))
                .put("nodes", recovered.nodes())
                .put("gen", recovered.surface().generation())
                .put("msgSeqs", recovered.messageSeqs())
                .put("again", recovered.closers(FoldedLog.AS_RECORDED).size())
                .build();
        for (String name : found.names()) {
            if (!found.get(name).equals(cut.get(name))) {
                return name + " expected " + cut.get(name) + ", found " + found.get(name);
            }
        }
        return null;
    }
}
