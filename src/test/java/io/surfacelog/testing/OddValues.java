package io.surfacelog.testing;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonBoolean;
import io.surfacelog.event.JsonNull;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random strings, numbers and JSON values: mostly plain, now and then what breaks careless code. */
public final class OddValues {

    private static final List<String> PLAIN = List.of("", "a", "ok ", "read the file", "weather in Ulm?", "{\"a\":1}");
    private static final List<String> ODD = List.of(
            "\0",
            "a\0b",
            "\uD83D",
            "\uDE00\uD83D",
            "\uD83D\uDE00",
            "\u2028\u2029",
            "漢字",
            "e\u0301",
            "\uFEFF",
            "\u007F\u0001\u001F",
            "\r\n\t\b\f",
            "\"\\/",
            "\\u0000",
            "</script>",
            "__proto__",
            " \u00A0\u3000 ",
            "𝔘𝔫𝔦");
    private static final List<String> DIGITS = List.of(
            "0",
            "1.0",
            "1e2",
            "1E+2",
            "-7",
            "0.10",
            "0.0",
            "0e99",
            "1e-400",
            "4.9e-324",
            "1.7976931348623157e308",
            "9007199254740993",
            "-9007199254740993",
            "123456789012345678901234567890",
            "0.10000000000000000001",
            "1e-2000000000",
            "1e-99999999999999999999");

    private final SplittableRandom random;

    public OddValues(SplittableRandom random) {
        this.random = random;
    }

    /** Any text: one in five is odd, one in sixteen empty, one in two hundred long. */
    public String text() {
        int die = random.nextInt(200);
        if (die == 0) {
            return "lorem 😀 ".repeat(random.nextInt(1, 400));
        }
        if (die < 13) {
            return "";
        }
        return die < 53 ? pick(ODD) + pick(PLAIN) : pick(PLAIN) + random.nextInt(100);
    }

    /** A text that is not empty. */
    public String name(String plain) {
        return random.nextInt(25) == 0 ? pick(ODD) : plain;
    }

    /** A number in any spelling that JSON keeps. */
    public JsonNumber number() {
        return switch (random.nextInt(4)) {
            case 0 -> JsonNumber.ofDigits(pick(DIGITS));
            case 1 -> JsonNumber.of(random.nextLong());
            case 2 -> JsonNumber.of((Number) (random.nextDouble() * 1e6));
            default -> JsonNumber.of(random.nextInt(1000));
        };
    }

    /** The integer, now and then in a spelling that is not the plain one. */
    public JsonNumber spelled(long value) {
        return switch (random.nextInt(40)) {
            case 0 -> JsonNumber.ofDigits(value + ".0");
            case 1 -> JsonNumber.ofDigits(value + "e0");
            case 2 -> value == 0 ? JsonNumber.of(0) : JsonNumber.ofDigits(value + "0E-1");
            default -> JsonNumber.of(value);
        };
    }

    /** A small JSON value of any kind. */
    public Json value() {
        return value(3);
    }

    private Json value(int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 8)) {
            case 0 -> JsonNull.NULL;
            case 1 -> JsonBoolean.of(random.nextBoolean());
            case 2, 3 -> number();
            case 4 -> JsonString.of(text());
            case 5 -> {
                List<Json> items = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    items.add(value(depth - 1));
                }
                yield JsonArray.of(items);
            }
            default -> object(depth - 1);
        };
    }

    /** A small JSON object, its keys as odd as its values. */
    public JsonObject object() {
        return object(2);
    }

    private JsonObject object(int depth) {
        JsonObject.Builder object = JsonObject.builder();
        // more than eight members look up their names another way
        int members = random.nextInt(12) == 0 ? 10 : random.nextInt(4);
        for (int i = 0; i < members; i++) {
            object.put(random.nextInt(4) == 0 ? text() : "k" + i, value(depth));
        }
        return object.build();
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
