package io.surfacelog.event;

import java.math.BigDecimal;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A JSON number that keeps its digits as they were written. Its double value is finite and not negative zero ({@code
 * json.lossless}). Two numbers are equal when their decimal values are; this compares digits and exponents and never
 * expands them, so {@code 1e-2000000000} costs nothing.
 */
public final class JsonNumber implements Json {

    /** 2^53 − 1, the largest safe integer. */
    public static final long MAX_SAFE = 9_007_199_254_740_991L;

    private final String digits;
    private @Nullable DecimalValue decimal;

    private JsonNumber(String digits) {
        this.digits = digits;
    }

    public static JsonNumber of(long value) {
        return new JsonNumber(Long.toString(value));
    }

    /**
     * The number of a Java number; a {@link Double} without a fraction is written as an integer.
     *
     * @throws AdmissionException {@code json.lossless} for NaN, an infinity or negative zero
     */
    public static JsonNumber of(Number value) {
        if (value instanceof Double || value instanceof Float) {
            double number = value.doubleValue();
            if (Double.isNaN(number) || Double.isInfinite(number)) {
                throw new AdmissionException(AdmissionRule.JSON_LOSSLESS, "expected a finite number, found " + number);
            }
            if (number == Math.rint(number) && Math.abs(number) <= MAX_SAFE && !isNegativeZero(number)) {
                return of((long) number);
            }
            return ofDigits(value.toString());
        }
        return value instanceof BigDecimal big ? ofDigits(big.toString()) : ofDigits(value.toString());
    }

    /**
     * The number with these digits, which must be a JSON number.
     *
     * @throws AdmissionException {@code json.syntax} or {@code json.lossless}
     */
    public static JsonNumber ofDigits(String digits) {
        if (Json.parse(digits) instanceof JsonNumber number) {
            return number;
        }
        throw new AdmissionException(AdmissionRule.JSON_SYNTAX, "expected a JSON number, found \"" + digits + "\"");
    }

    /** For the reader, which has checked the syntax and reports a {@link #loss} itself. */
    static JsonNumber unchecked(String digits) {
        return new JsonNumber(digits);
    }

    /** What JSON would lose of these digits, or null. */
    static @Nullable String loss(String digits) {
        if (digits.length() <= 15 && isPlainInteger(digits)) {
            return digits.equals("-0") ? "negative zero" : null;
        }
        double value = Double.parseDouble(digits);
        if (Double.isInfinite(value)) {
            return "a number beyond the range of a double";
        }
        return isNegativeZero(value) ? "negative zero" : null;
    }

    private static boolean isNegativeZero(double value) {
        return value == 0 && Double.doubleToRawLongBits(value) != 0;
    }

    private static boolean isPlainInteger(String digits) {
        for (int i = digits.charAt(0) == '-' ? 1 : 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
        }
        return true;
    }

    /** The digits as written. */
    public String digits() {
        return digits;
    }

    /** The nearest double. */
    public double doubleValue() {
        return Double.parseDouble(digits);
    }

    /** The value as an integer between −(2^53−1) and 2^53−1, by value ({@code 1.0} is 1); empty if it is none. */
    public OptionalLong safeInteger() {
        if (digits.length() <= 15 && isPlainInteger(digits)) {
            return OptionalLong.of(Long.parseLong(digits));
        }
        return decimal().safeInteger();
    }

    private DecimalValue decimal() {
        DecimalValue value = decimal;
        if (value == null) {
            value = DecimalValue.of(digits);
            decimal = value;
        }
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof JsonNumber that
                        && (digits.equals(that.digits) || decimal().equals(that.decimal()));
    }

    @Override
    public int hashCode() {
        return decimal().hashCode();
    }

    @Override
    public String toString() {
        return digits;
    }
}
