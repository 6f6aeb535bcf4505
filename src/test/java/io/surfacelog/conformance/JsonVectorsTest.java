package io.surfacelog.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** json.ndjson: which texts are acceptable values. Cases with {@code js} are values of another language. */
class JsonVectorsTest {

    /** Recorded as accepted; refused by us for a key that stands twice or for their depth. */
    static final Set<String> DUPLICATE_KEYS = Set.of("jA74", "jA75", "jA407");

    static final Set<String> TOO_DEEP = Set.of("jA151", "jA152", "jA153");

    private final List<JsonObject> texts = Vectors.read("json").stream()
            .filter(vector -> vector.has("text"))
            .filter(vector -> !DUPLICATE_KEYS.contains(Vectors.id(vector)) && !TOO_DEEP.contains(Vectors.id(vector)))
            .toList();

    @Test
    void every_text_is_judged_as_recorded() {
        Vectors.agree(texts, 444, vector -> {
            String expected = vector.isTrue("ok") ? "ok" : vector.string("rule").orElseThrow();
            String found = verdict(text(vector));
            // two texts break both rules: that of syntax stands first
            boolean both =
                    found.equals("json.syntax") && Set.of("jA214", "jA223").contains(Vectors.id(vector));
            return found.equals(expected) || both ? null : "expected " + expected + ", found " + found;
        });
    }

    @Test
    void every_accepted_value_is_the_recorded_one_and_comes_back_as_it_went_in() {
        List<JsonObject> accepted =
                texts.stream().filter(vector -> vector.isTrue("ok")).toList();

        Vectors.agree(accepted, 332, vector -> {
            Json value = Json.parse(text(vector));
            if (!Json.parse(value.toText()).equals(value)) {
                return "reads back as another value: " + value;
            }
            return sameAsDoubles(value, Json.parse(vector.string("out").orElseThrow()))
                    ? null
                    : "expected " + vector.string("out").orElseThrow() + ", found " + value;
        });
    }

    @Test
    void every_text_is_judged_the_same_inside_an_event() {
        Vectors.agree(texts, 444, vector -> {
            String event = "{\"type\":\"feedback/record\",\"seq\":0,\"time\":1,\"data\":" + text(vector) + "}";
            String found;
            try {
                EventCandidate.read(event, EventLimits.defaults());
                found = "ok";
            } catch (AdmissionException e) {
                found = e.rule().code();
            }
            return found.equals(verdict(text(vector))) ? null : "alone " + verdict(text(vector)) + ", inside " + found;
        });
    }

    @Test
    void the_cases_of_another_language_are_all_that_is_left_out() {
        assertThat(Vectors.read("json"))
                .filteredOn(vector -> !vector.has("text"))
                .hasSize(32);
    }

    private static String text(JsonObject vector) {
        return vector.string("text").orElseThrow();
    }

    static String verdict(String text) {
        try {
            Json.parse(text);
            return "ok";
        } catch (AdmissionException e) {
            return e.rule().code();
        }
    }

    /** The record shows values after a trip through doubles, and some keys in another order. */
    private static boolean sameAsDoubles(Json a, @Nullable Json b) {
        if (a instanceof JsonNumber x && b instanceof JsonNumber y) {
            return x.doubleValue() == y.doubleValue();
        }
        if (a instanceof JsonArray x && b instanceof JsonArray y && x.size() == y.size()) {
            for (int i = 0; i < x.size(); i++) {
                if (!sameAsDoubles(x.get(i), y.get(i))) {
                    return false;
                }
            }
            return true;
        }
        if (a instanceof JsonObject x && b instanceof JsonObject y && x.size() == y.size()) {
            List<String> differing = new ArrayList<>(x.names());
            differing.removeIf(name -> sameAsDoubles(x.get(name), y.get(name)));
            return differing.isEmpty();
        }
        return a instanceof JsonString x ? x.equals(b) : a.equals(b);
    }
}
