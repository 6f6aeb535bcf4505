package io.surfacelog.store;

import java.util.OptionalLong;

/** What became of a {@link LeaseRequest}. */
public sealed interface LeaseOutcome {

    /**
     * The lease is taken and the events are stored, durably.
     *
     * @param lease the lease under its new token
     * @param position the place of the events in the global order of commits; empty if there were none
     */
    record Taken(StoredLease lease, OptionalLong position) implements LeaseOutcome {}

    /**
     * Somebody else holds it; nothing is changed.
     *
     * @param lease who, and until when
     */
    record Held(StoredLease lease) implements LeaseOutcome {}

    /**
     * The events could not be stored, or the session is not what the request expects; nothing is changed.
     *
     * @param why the outcome of the write: no such session, another tail, or damage
     */
    record NotWritten(WriteOutcome why) implements LeaseOutcome {}
}
