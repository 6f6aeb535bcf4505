package io.surfacelog.store;

import org.jspecify.annotations.Nullable;

/** What became of one write of a commit. */
public sealed interface WriteOutcome {

    /**
     * It is durable.
     *
     * @param position its place in the global order of commits, from 1
     */
    record Committed(long position) implements WriteOutcome {}

    /**
     * The stored tail is another one.
     *
     * @param storedNextSeq the stored tail
     */
    record TailMoved(long storedNextSeq) implements WriteOutcome {}

    /** The id of a session to be created is taken. */
    record IdTaken() implements WriteOutcome {}

    /** The session to be appended to does not exist. */
    record NoSuchSession() implements WriteOutcome {}

    /**
     * An idempotency key was used before.
     *
     * @param key the first of the write's keys of which that is so
     * @param first what it was used for
     */
    record KeyUsed(String key, KeyedAppend first) implements WriteOutcome {}

    /**
     * What the write needs of the stored session cannot be read as it was written. It was refused, so that damage is never
     * built upon; the other writes of the commit do not suffer from it.
     *
     * @param fault what was found
     */
    record Damaged(StoreFault fault) implements WriteOutcome {}

    /**
     * The lease that stood behind the write is not the session's any more: it was released, or somebody took it
     * over.
     *
     * @param current the lease as it is stored now, null if there never was one
     */
    record LeaseLost(@Nullable StoredLease current) implements WriteOutcome {}
}
