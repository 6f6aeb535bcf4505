package io.surfacelog.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Reads the recorded cases, and runs all of a file so that every disagreement is listed at once. */
public final class Vectors {

    private Vectors() {}

    /** The cases of a file, in order. Lines are split at LF only: some strings hold U+2028. */
    public static List<JsonObject> read(String name) {
        try (InputStream in = Vectors.class.getResourceAsStream("/conformance/" + name + ".ndjson.gz")) {
            assertThat(in).as(name).isNotNull();
            String text = new String(new GZIPInputStream(in).readAllBytes(), StandardCharsets.UTF_8);
            List<JsonObject> cases = new ArrayList<>();
            for (String line : text.split("\n", 0)) {
                cases.add((JsonObject) Json.parse(line));
            }
            return cases;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** The one case of this id. */
    public static JsonObject only(String name, String id) {
        return read(name).stream().filter(v -> id(v).equals(id)).findFirst().orElseThrow();
    }

    /** The one case with this tag. */
    public static JsonObject tagged(String name, String tag) {
        return read(name).stream()
                .filter(v -> v.array("tags").orElseThrow().items().contains(JsonString.of(tag)))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Runs every case.
     *
     * @param verdict what disagrees, null if the case agrees
     */
    public static void agree(List<JsonObject> cases, int expected, Function<JsonObject, @Nullable String> verdict) {
        List<String> disagreements = new ArrayList<>();
        for (JsonObject vector : cases) {
            String difference = verdict.apply(vector);
            if (difference != null) {
                disagreements.add(id(vector) + ": " + difference);
            }
        }
        assertThat(disagreements).isEmpty();
        assertThat(cases.size()).as("cases that were run").isEqualTo(expected);
    }

    public static String id(JsonObject vector) {
        return vector.string("id").orElseThrow();
    }

    public static List<Json> items(JsonObject vector, String name) {
        return vector.array(name).orElseThrow().items();
    }

    public static long number(JsonObject vector, String name) {
        return vector.longValue(name).orElseThrow();
    }

    public static JsonArray numbers(long... values) {
        List<Json> items = new ArrayList<>();
        for (long value : values) {
            items.add(JsonNumber.of(value));
        }
        return JsonArray.of(items);
    }
}
