package io.surfacelog.store;

/**
 * The events an idempotency key was used for.
 *
 * @param firstSeq the first of them
 * @param count how many there are, from 1
 */
public record KeyedAppend(long firstSeq, long count) {}
