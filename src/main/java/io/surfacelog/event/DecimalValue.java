package io.surfacelog.event;

import java.util.OptionalLong;

/**
 * The decimal value of a JSON number as sign, digits without zeros at either end, and a power of ten kept as text, so
 * that an exponent of any length is compared without being expanded: value = 0.digits × 10^exponent.
 */
record DecimalValue(boolean negative, String digits, String exponent) {

    private static final DecimalValue ZERO = new DecimalValue(false, "", "0");
    private static final int LONG_DIGITS = 17;

    static DecimalValue of(String number) {
        boolean negative = number.charAt(0) == '-';
        int e = Math.max(number.indexOf('e'), number.indexOf('E'));
        String mantissa = number.substring(negative ? 1 : 0, e < 0 ? number.length() : e);
        int point = mantissa.indexOf('.');
        String all = point < 0 ? mantissa : mantissa.substring(0, point) + mantissa.substring(point + 1);
        int first = 0;
        while (first < all.length() && all.charAt(first) == '0') {
            first++;
        }
        if (first == all.length()) {
            return ZERO;
        }
        int last = all.length();
        while (all.charAt(last - 1) == '0') {
            last--;
        }
        long shift = (point < 0 ? all.length() : point) - (long) first;
        String exponent = e < 0 ? Long.toString(shift) : plus(number.substring(e + 1), shift);
        return new DecimalValue(negative, all.substring(first, last), exponent);
    }

    OptionalLong safeInteger() {
        if (digits.isEmpty()) {
            return OptionalLong.of(0);
        }
        if (exponent.length() > 2 || exponent.charAt(0) == '-') {
            return OptionalLong.empty();
        }
        int places = Integer.parseInt(exponent);
        if (places > 16 || digits.length() > places) {
            return OptionalLong.empty();
        }
        long value = Long.parseLong(digits);
        for (int i = digits.length(); i < places; i++) {
            value *= 10;
        }
        return value > JsonNumber.MAX_SAFE ? OptionalLong.empty() : OptionalLong.of(negative ? -value : value);
    }

    /** Decimal text plus a small number, as canonical decimal text. */
    private static String plus(String text, long small) {
        boolean negative = text.charAt(0) == '-';
        int start = negative || text.charAt(0) == '+' ? 1 : 0;
        while (start < text.length() - 1 && text.charAt(start) == '0') {
            start++;
        }
        String magnitude = text.substring(start);
        if (magnitude.length() <= LONG_DIGITS) {
            long value = Long.parseLong(magnitude);
            return Long.toString((negative ? -value : value) + small);
        }
        // |text| is far larger than |small|: the sign stays, only the magnitude moves
        char[] digits = ("0" + magnitude).toCharArray();
        long carry = negative ? -small : small;
        for (int i = digits.length - 1; i >= 0 && carry != 0; i--) {
            long sum = digits[i] - '0' + carry;
            digits[i] = (char) ('0' + Math.floorMod(sum, 10));
            carry = Math.floorDiv(sum, 10L);
        }
        int first = 0;
        while (digits[first] == '0') {
            first++;
        }
        return (negative ? "-" : "") + new String(digits, first, digits.length - first);
    }
}
