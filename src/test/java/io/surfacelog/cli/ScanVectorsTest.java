package io.surfacelog.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.conformance.Vectors;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** scan.ndjson: stored files, whole, torn or damaged. Nothing complete is ever dropped: what would be, is refused. */
class ScanVectorsTest {

    /** What the recorded implementation calls otherwise. */
    private static final Map<String, Set<String>> OUR_RULES = Map.of(
            "load.unknown-type", Set.of("type.undeclared"),
            "load.version", Set.of("head.version"),
            "scan.unparsable", Set.of("json.syntax"),
            "scan.header-json", Set.of("json.syntax"),
            "scan.seq-gap", Set.of("seq.contiguous"),
            "scan.header-shape", Set.of("head.created-at", "head.depth", "head.record"),
            "scan.identity", Set.of("head.id"),
            "scan.retired-header", Set.of("head.retired"),
            "scan.no-header", Set.of("head.record"));

    @TempDir
    Path folder;

    private final List<JsonObject> vectors = Vectors.read("scan");
    private final Map<String, JsonObject> answers = new HashMap<>();

    @BeforeEach
    void check_all_files_in_one_run() throws IOException {
        check();
    }

    private void check(String... options) throws IOException {
        List<String> args =
                new ArrayList<>(List.of("check", "--structure", "off", "--no-salvage-text", "--no-orphan-answers"));
        args.addAll(List.of(options));
        for (JsonObject vector : vectors) {
            Path file = folder.resolve(Vectors.id(vector) + ".jsonl");
            Files.write(file, text(vector).getBytes(UTF_8));
            args.add(file.toString());
        }
        List<JsonObject> found = CommandRun.of(args.toArray(String[]::new)).answers();
        assertThat(found).hasSize(vectors.size());
        for (int i = 0; i < found.size(); i++) {
            answers.put(Vectors.id(vectors.get(i)), found.get(i));
        }
    }

    @Test
    void a_salvage_keeps_exactly_the_recorded_prefix_and_lists_the_rest() throws IOException {
        check("--salvage");
        List<JsonObject> kept =
                vectors.stream().filter(vector -> vector.isTrue("ok")).toList();

        Vectors.agree(kept, 253, vector -> {
            JsonObject found = answers.get(Vectors.id(vector));
            List<Json> closers = !found.isTrue("ok")
                    ? List.of()
                    : Vectors.items(found, "closers").stream()
                            .map(closer -> ((JsonObject) closer).get("type"))
                            .toList();
            boolean same = found.isTrue("ok")
                    && found.get("events").equals(vector.get("prefix"))
                    && found.get("keptBytes").equals(vector.get("keptBytes"))
                    && found.get("tornBytes").equals(vector.get("tornBytes"))
                    && JsonArray.of(closers).equals(vector.get("closers"));
            if (!same || !dropsCompleteLines(vector)) {
                return same && !found.has("leftOut") ? null : "found " + found;
            }
            JsonObject leftOut = found.object("leftOut").orElse(JsonObject.EMPTY);
            return leftOut.get("offset").equals(vector.get("keptBytes"))
                            && leftOut.get("bytes").equals(vector.get("tornBytes"))
                            && Vectors.number(leftOut, "line") == lines(vector, "keptBytes") + 1
                            && Vectors.number(leftOut, "lines") == linesAfter(vector)
                            && leftOut.has("rule")
                    ? null
                    : "left out " + leftOut;
        });
    }

    @Test
    void what_the_recorded_implementation_refuses_is_salvaged_up_to_the_damage_unless_it_is_the_header()
            throws IOException {
        Map<String, JsonObject> refusals = Map.copyOf(answers);
        check("--salvage");
        List<JsonObject> refused = vectors.stream()
                .filter(vector -> !vector.isTrue("ok"))
                .filter(vector -> !refusals.get(Vectors.id(vector)).isTrue("ok"))
                .toList();

        Vectors.agree(refused, 100, vector -> {
            JsonObject refusal = refusals.get(Vectors.id(vector));
            JsonObject found = answers.get(Vectors.id(vector));
            if (Vectors.number(refusal, "line") == 1) {
                return found.equals(refusal) ? null : "found " + found;
            }
            JsonObject leftOut = found.object("leftOut").orElse(JsonObject.EMPTY);
            return found.isTrue("ok")
                            && leftOut.get("line").equals(refusal.get("line"))
                            && leftOut.get("rule").equals(refusal.get("rule"))
                    ? null
                    : "found " + found;
        });
    }

    private static long linesAfter(JsonObject vector) {
        byte[] all = text(vector).getBytes(UTF_8);
        int kept = (int) Vectors.number(vector, "keptBytes");
        String rest = new String(all, kept, all.length - kept, UTF_8);
        return rest.chars().filter(c -> c == '\n').count() + (rest.endsWith("\n") ? 0 : 1);
    }

    @Test
    void whole_and_torn_files_are_read_as_recorded() {
        List<JsonObject> whole = vectors.stream()
                .filter(vector -> vector.isTrue("ok") && !dropsCompleteLines(vector))
                .toList();

        Vectors.agree(whole, 157, vector -> {
            JsonObject found = answers.get(Vectors.id(vector));
            if (!found.isTrue("ok")) {
                return "refused: " + found;
            }
            List<Json> closers = Vectors.items(found, "closers").stream()
                    .map(closer -> ((JsonObject) closer).get("type"))
                    .toList();
            boolean same = found.get("events").equals(vector.get("prefix"))
                    && found.get("tornBytes").equals(vector.get("tornBytes"))
                    && found.get("keptBytes").equals(vector.get("keptBytes"))
                    && JsonArray.of(closers).equals(vector.get("closers"));
            return same ? null : "found " + found;
        });
    }

    @Test
    void a_file_of_which_complete_lines_would_be_dropped_is_refused_at_the_first_of_them() {
        List<JsonObject> damaged = vectors.stream()
                .filter(vector -> vector.isTrue("ok") && dropsCompleteLines(vector))
                .toList();

        Vectors.agree(damaged, 96, vector -> {
            JsonObject found = answers.get(Vectors.id(vector));
            long keptLines = text(vector).getBytes(UTF_8).length == 0 ? 0 : lines(vector, "keptBytes");
            return !found.isTrue("ok") && found.longValue("line").orElse(-1) == keptLines + 1
                    ? null
                    : "expected a refusal of line " + (keptLines + 1) + ", found " + found;
        });
    }

    @Test
    void a_damaged_file_is_refused_by_our_name_of_the_recorded_rule() {
        List<JsonObject> refused = vectors.stream()
                .filter(vector -> !vector.isTrue("ok"))
                .filter(vector -> !Set.of("header-no-depth", "header-other-id").contains(mutation(vector)))
                .toList();

        Vectors.agree(refused, 100, vector -> {
            JsonObject found = answers.get(Vectors.id(vector));
            Set<String> expected = OUR_RULES.get(vector.string("rule").orElseThrow());
            return found.string("rule").filter(expected::contains).isPresent()
                            && found.longValue("line").isPresent()
                    ? null
                    : "expected " + expected + ", found " + found;
        });
    }

    @Test
    void a_header_without_delegation_depth_is_accepted() {
        assertThat(vectors)
                .filteredOn(vector -> mutation(vector).equals("header-no-depth"))
                .hasSize(3)
                .allSatisfy(vector ->
                        assertThat(answers.get(Vectors.id(vector)).isTrue("ok")).isTrue());
    }

    @Test
    void a_file_alone_has_no_other_id_to_agree_with() {
        assertThat(vectors)
                .filteredOn(vector -> mutation(vector).equals("header-other-id"))
                .hasSize(4)
                .allSatisfy(vector ->
                        assertThat(answers.get(Vectors.id(vector)).isTrue("ok")).isTrue());
    }

    private static String text(JsonObject vector) {
        return vector.string("text").orElseThrow();
    }

    private static String mutation(JsonObject vector) {
        return vector.string("mut").orElseThrow();
    }

    /** Whether what the recorded implementation cuts off holds a line end, so a complete record. */
    private static boolean dropsCompleteLines(JsonObject vector) {
        byte[] bytes = text(vector).getBytes(UTF_8);
        int kept = (int) Vectors.number(vector, "keptBytes");
        return new String(bytes, kept, bytes.length - kept, UTF_8).contains("\n");
    }

    private static long lines(JsonObject vector, String bytes) {
        byte[] all = text(vector).getBytes(UTF_8);
        return new String(all, 0, (int) Vectors.number(vector, bytes), UTF_8)
                .chars()
                .filter(c -> c == '\n')
                .count();
    }
}
