package io.surfacelog.model;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Reads and reckons {@code + - * / %}, brackets and decimal numbers, to 34 digits. Bounded in length and depth. */
final class Arithmetic {

    static final int MAX_LENGTH = 1_000;
    private static final int MAX_DEPTH = 100;
    private static final int MAX_DIGITS = 60;

    private final String text;
    private int at;
    private int depth;

    private Arithmetic(String text) {
        this.text = text;
    }

    /**
     * The value of an expression.
     *
     * @throws ArithmeticException if it is none, or has no value: says where and why
     */
    static BigDecimal value(String expression) {
        if (expression.length() > MAX_LENGTH) {
            throw new ArithmeticException(
                    "expected at most " + MAX_LENGTH + " characters, found " + expression.length());
        }
        Arithmetic reading = new Arithmetic(expression);
        BigDecimal value = reading.sum();
        if (reading.peek() != 0) {
            throw reading.fault("an operator or the end");
        }
        return value;
    }

    /** A value as a person writes it; with an exponent where it would be long. */
    static String text(BigDecimal value) {
        BigDecimal plain = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
        return Math.abs((long) plain.precision() - plain.scale()) > MAX_DIGITS
                ? plain.toString()
                : plain.toPlainString();
    }

    private BigDecimal sum() {
        BigDecimal value = product();
        while (true) {
            switch (peek()) {
                case '+' -> value = value.add(next(), MathContext.DECIMAL128);
                case '-' -> value = value.subtract(next(), MathContext.DECIMAL128);
                default -> {
                    return value;
                }
            }
        }
    }

    private BigDecimal next() {
        at++;
        return product();
    }

    private BigDecimal product() {
        BigDecimal value = factor();
        while (true) {
            char operator = peek();
            switch (operator) {
                case '*', '×', '/', '÷', '%' -> {
                    at++;
                    value = combine(value, operator, factor());
                }
                default -> {
                    return value;
                }
            }
        }
    }

    private BigDecimal combine(BigDecimal value, char operator, BigDecimal by) {
        if (operator == '*' || operator == '×') {
            return value.multiply(by, MathContext.DECIMAL128);
        }
        if (by.signum() == 0) {
            throw new ArithmeticException("division by zero before character " + (at + 1));
        }
        return operator == '%' ? value.remainder(by) : value.divide(by, MathContext.DECIMAL128);
    }

    private BigDecimal factor() {
        if (++depth > MAX_DEPTH) {
            throw new ArithmeticException("nested deeper than " + MAX_DEPTH + " at character " + (at + 1));
        }
        char first = peek();
        BigDecimal value;
        if (first == '-' || first == '+') {
            at++;
            value = first == '-' ? factor().negate() : factor();
        } else if (first == '(') {
            at++;
            value = sum();
            if (peek() != ')') {
                throw fault("a closing bracket");
            }
            at++;
        } else {
            value = number();
        }
        depth--;
        return value;
    }

    private BigDecimal number() {
        int from = at;
        while (at < text.length() && (isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
            at++;
        }
        String digits = text.substring(from, at);
        if (digits.isEmpty() || digits.equals(".") || digits.indexOf('.') != digits.lastIndexOf('.')) {
            at = from;
            throw fault("a number");
        }
        return new BigDecimal(digits, MathContext.DECIMAL128);
    }

    /** The next character that is no white space, 0 at the end. */
    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private ArithmeticException fault(String expected) {
        String found = at < text.length() ? "\"" + text.charAt(at) + "\"" : "the end";
        return new ArithmeticException(
                String.format(Locale.ROOT, "expected %s at character %d, found %s", expected, at + 1, found));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
