package io.surfacelog.provider;

/**
 * Something a rendered request says other than the messages it was made of.
 *
 * @param rule what was done, a stable code as {@code result.missing}
 * @param message index of the derived message it concerns, -1 for the whole request
 * @param detail a sentence: what was found and what the request says instead
 */
public record Adjustment(String rule, int message, String detail) {}
