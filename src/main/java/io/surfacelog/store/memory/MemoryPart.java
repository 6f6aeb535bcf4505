package io.surfacelog.store.memory;

import io.surfacelog.event.SessionId;

/**
 * A part of a log that began as another session's.
 *
 * @param owner ordinal of that session
 * @param ownerId its id
 * @param from first seq, included
 * @param to last seq, excluded
 */
record MemoryPart(long owner, SessionId ownerId, long from, long to) {}
