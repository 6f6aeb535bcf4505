package io.surfacelog.store;

/**
 * How much room a store takes.
 *
 * @param bytesBefore bytes of its files before its free space was given back
 * @param bytesAfter and after it
 */
public record Reclaimed(long bytesBefore, long bytesAfter) {}
