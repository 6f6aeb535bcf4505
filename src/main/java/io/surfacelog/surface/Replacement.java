package io.surfacelog.surface;

import io.surfacelog.event.EventSeqs;

/**
 * One replace of a log.
 *
 * @param seq the replacing event
 * @param start first node of the range, as declared
 * @param end last node of the range, as declared
 * @param shadowed the nodes it took off the surface, in surface order
 */
public record Replacement(long seq, long start, long end, EventSeqs shadowed) {}
