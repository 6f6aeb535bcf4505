package io.surfacelog.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.testing.Seeds;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JsonMemberTest {

    private static final List<String> NAMES = List.of("usage", "error", "u", "usage2", "");
    private static final List<String> TEXTS =
            List.of("", "\"", "\\", "\\\"usage\\\":", "\"usage\":{}", "a,b", "}{][", "\\\\\"", "\u0000é😀");

    @Test
    void a_member_is_found_as_a_reader_of_the_whole_would_find_it() {
        Seeds.forEach(5_000, seed -> {
            JsonObject object = object(new SplittableRandom(seed), 3);
            for (String name : NAMES) {
                assertThat(JsonMember.of(object.toText(), name))
                        .as("%s of %s", name, object.toText())
                        .isEqualTo(Optional.ofNullable(object.get(name)));
            }
        });
    }

    private static JsonObject object(SplittableRandom random, int depth) {
        JsonObject.Builder object = JsonObject.builder();
        for (String name : NAMES) {
            if (random.nextInt(3) == 0) {
                object.put(name, value(random, depth));
            }
        }
        return object.build();
    }

    private static Json value(SplittableRandom random, int depth) {
        return switch (random.nextInt(depth == 0 ? 3 : 6)) {
            case 0 -> Json.of(random.nextLong(-50, 50));
            case 1 -> JsonString.of(TEXTS.get(random.nextInt(TEXTS.size())));
            case 2 -> Json.parse(List.of("null", "true", "1.5e3", "[]", "{}").get(random.nextInt(5)));
            case 3 -> JsonArray.of(List.of(value(random, depth - 1), value(random, depth - 1)));
            default -> object(random, depth - 1);
        };
    }
}
