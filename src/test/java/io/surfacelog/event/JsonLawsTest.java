package io.surfacelog.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.testing.OddValues;
import io.surfacelog.testing.Seeds;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What must hold of every JSON value. */
class JsonLawsTest {

    @Test
    void a_value_comes_back_from_its_text() {
        Seeds.forEach(3000, seed -> {
            Json value = new OddValues(new SplittableRandom(seed)).value();
            String text = value.toText();
            Json again = Json.parse(text);
            assertThat(again).isEqualTo(value).hasSameHashCodeAs(value);
            assertThat(again.toText()).isEqualTo(text);
            assertThat(JsonText.ofCompact(text).value()).isEqualTo(value);
            assertThat(JsonText.of(value).utf8Bytes()).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
        });
    }

    @Test
    void white_space_and_escapes_change_neither_the_value_nor_its_compact_text() {
        Seeds.forEach(3000, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            Json value = new OddValues(random).value();
            String loose = loosely(value.toText(), random);
            assertThat(Json.parse(loose)).as(loose).isEqualTo(value);
            assertThat(Json.parse(loose).toText()).isEqualTo(value.toText());
        });
    }

    /** The same JSON with white space between its tokens and any unit of a string as an escape. */
    private static String loosely(String compact, SplittableRandom random) {
        StringBuilder out = new StringBuilder();
        boolean inString = false;
        for (int i = 0; i < compact.length(); i++) {
            char c = compact.charAt(i);
            if (c == '\\') {
                int end = i + (compact.charAt(i + 1) == 'u' ? 6 : 2);
                out.append(compact, i, end);
                i = end - 1;
                continue;
            }
            if (c == '"') {
                inString = !inString;
            } else if (inString && random.nextInt(8) == 0) {
                out.append(String.format("\\u%04X", (int) c));
                continue;
            }
            boolean token = !inString && "{}[],:".indexOf(c) >= 0;
            out.append(token ? space(random) + c + space(random) : c);
        }
        return space(random) + out + space(random);
    }

    private static String space(SplittableRandom random) {
        return List.of("", "", " ", "\t\r\n").get(random.nextInt(4));
    }

    @Test
    void the_order_of_members_does_not_matter_to_equality_and_is_kept() {
        Seeds.forEach(500, seed -> {
            JsonObject object = new OddValues(new SplittableRandom(seed)).object();
            JsonObject.Builder turned = JsonObject.builder();
            List<String> names = object.names();
            for (int i = names.size() - 1; i >= 0; i--) {
                turned.put(names.get(i), object.get(names.get(i)));
            }
            assertThat(turned.build()).isEqualTo(object).hasSameHashCodeAs(object);
            assertThat(((JsonObject) Json.parse(turned.build().toText())).names())
                    .isEqualTo(turned.build().names());
            assertThat(object.with("added", JsonNull.NULL)).isNotEqualTo(object);
        });
    }

    @Test
    void numbers_are_equal_when_their_decimal_values_are() {
        Seeds.forEach(20_000, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            String a = spelling(random, 1 + random.nextInt(25), random.nextInt(-6, 7));
            String b = random.nextInt(3) == 0
                    ? spelling(random, 1 + random.nextInt(25), random.nextInt(-6, 7))
                    : respelled(a, random);
            JsonNumber left = (JsonNumber) Json.parse(a);
            JsonNumber right = (JsonNumber) Json.parse(b);
            boolean same = new BigDecimal(a).compareTo(new BigDecimal(b)) == 0;
            assertThat(left.equals(right)).as("%s = %s", a, b).isEqualTo(same);
            if (same) {
                assertThat(left).hasSameHashCodeAs(right);
            }
            assertThat(left.toText()).isEqualTo(a);
        });
    }

    private static String spelling(SplittableRandom random, int digits, int exponent) {
        // few digits to choose from, so that zeros stand at both ends and pairs come out equal
        StringBuilder text = new StringBuilder();
        int point = random.nextInt(digits + 1);
        for (int i = 0; i < digits; i++) {
            text.append(i == point && i > 0 ? "." : "").append("0019".charAt(random.nextInt(4)));
        }
        String plain = text.toString().replaceFirst("^0+(?=\\d)", "");
        String signed = (new BigDecimal(plain).signum() != 0 && random.nextBoolean() ? "-" : "") + plain;
        return exponent == 0
                ? signed
                : signed + (random.nextBoolean() ? "e" : "E+").replace("+", exponent > 0 ? "+" : "") + exponent;
    }

    /** Most often the same value in another spelling, else one that is off by little. */
    private static String respelled(String number, SplittableRandom random) {
        BigDecimal value = new BigDecimal(number);
        if (value.signum() == 0) {
            return List.of("0", "0.000", "0e7", "0E-3").get(random.nextInt(4));
        }
        return switch (random.nextInt(5)) {
            case 0 -> value.toPlainString();
            case 1 -> value.setScale(value.scale() + random.nextInt(1, 5)).toString();
            case 2 -> value.stripTrailingZeros().toString();
            case 3 -> value.negate().toPlainString();
            default ->
                value.add(BigDecimal.ONE.movePointLeft(Math.max(0, value.scale())))
                        .toString();
        };
    }

    @Test
    void an_integer_is_told_by_value() {
        Seeds.forEach(5000, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            String text = random.nextBoolean()
                    ? spelling(random, 1 + random.nextInt(18), random.nextInt(-6, 7))
                    : BigDecimal.valueOf(JsonNumber.MAX_SAFE + random.nextInt(-2, 3))
                            .multiply(random.nextBoolean() ? BigDecimal.ONE : new BigDecimal("1.000"))
                            .toString();
            BigDecimal value = new BigDecimal(text);
            boolean safe = value.stripTrailingZeros().scale() <= 0
                    && value.abs().compareTo(BigDecimal.valueOf(JsonNumber.MAX_SAFE)) <= 0;
            JsonNumber number = (JsonNumber) Json.parse(text);
            if (safe) {
                assertThat(number.safeInteger()).as(text).hasValue(value.longValueExact());
            } else {
                assertThat(number.safeInteger()).as(text).isEmpty();
            }
        });
    }

    @Test
    void huge_exponents_are_compared_without_being_expanded() {
        assertEqual("1e-2000000000", "10e-2000000001");
        assertEqual("1e-2000000000", "0.001E-1999999997");
        assertEqual("1e-99999999999999999999", "0.1e-99999999999999999998");
        assertEqual("1e-99999999999999999999", "10e-100000000000000000000");
        assertEqual("1e-100000000000000000000", "0.1e-099999999999999999999");
        assertDiffer("1e-2000000000", "1e-2000000001");
        assertDiffer("1e-2000000000", "-1e-2000000000".replace("-1", "2"));
        assertDiffer("1e-99999999999999999999", "1e-99999999999999999998");
        assertDiffer("1e-99999999999999999999", "0");
        assertDiffer("1e-9223372036854775808", "1e9".replace("9", "0"));
        assertThat(JsonNumber.ofDigits("1e-99999999999999999999").safeInteger()).isEmpty();
        assertEqual("0e99999999999999999999", "0");
    }

    private static void assertEqual(String a, String b) {
        assertThat(Json.parse(a)).isEqualTo(Json.parse(b)).hasSameHashCodeAs(Json.parse(b));
        assertThat(Json.parse(a).toText()).isEqualTo(a);
    }

    private static void assertDiffer(String a, String b) {
        assertThat(Json.parse(a)).isNotEqualTo(Json.parse(b));
    }

    @Test
    void what_json_would_lose_is_refused_from_text_and_from_typed_values() {
        for (String text : List.of("-0", "-0.0", "-0e5", "-1e-400", "1e400", "-1e400", "-1e-99999999999999999999")) {
            assertRefused(AdmissionRule.JSON_LOSSLESS, text);
            assertRefused(AdmissionRule.JSON_LOSSLESS, "{\"a\":[" + text + "]}");
        }
        for (double value : new double[] {Double.NaN, Double.POSITIVE_INFINITY, -0.0}) {
            assertThatThrownBy(() -> Json.of(value))
                    .isInstanceOfSatisfying(
                            AdmissionException.class,
                            refusal -> assertThat(refusal.rule()).isEqualTo(AdmissionRule.JSON_LOSSLESS));
        }
        assertThat(Json.parse("1e-400").toText()).isEqualTo("1e-400");
    }

    @Test
    void what_is_no_json_is_refused() {
        for (String text : List.of(
                "",
                " ",
                "{",
                "[1,]",
                "{\"a\":1,}",
                "{a:1}",
                "'a'",
                "01",
                "1.",
                ".5",
                "+1",
                "NaN",
                "nul",
                "\"\n\"",
                "\"\0\"",
                "\"\\x\"",
                "1 2",
                "{\"a\":1,\"a\":2}",
                "[{\"\":0,\"\":0}]",
                "\uFEFF1",
                "// x\n1")) {
            assertRefused(AdmissionRule.JSON_SYNTAX, text);
        }
        String many = "{" + "\"k%d\":0,".repeat(12).formatted(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) + "\"k3\":0}";
        assertRefused(AdmissionRule.JSON_SYNTAX, many);
    }

    private static void assertRefused(AdmissionRule rule, String text) {
        assertThatThrownBy(() -> Json.parse(text))
                .as(text)
                .isInstanceOfSatisfying(
                        AdmissionException.class,
                        refusal -> assertThat(refusal.rule()).as(text).isEqualTo(rule));
    }
}
