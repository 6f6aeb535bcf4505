package io.surfacelog.surface;

/**
 * Something in a log that is not well formed, though it was admitted.
 *
 * @param rule the structure rule
 * @param seq the event that made it so
 * @param message what was expected and what was found
 */
public record Finding(StructureRule rule, long seq, String message) {}
