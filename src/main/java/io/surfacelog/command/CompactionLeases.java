package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.LeaseOutcome;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.LeaseRequest;
import io.surfacelog.store.LeaseToken;
import io.surfacelog.store.StoredLease;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.store.WriteOutcome;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/** Takes compaction leases, and appends under them. No event belongs to the taking, so no plan and no lane is needed. */
final class CompactionLeases {

    private final EventStore store;
    private final HeldLeases leases;

    CompactionLeases(EventStore store, HeldLeases leases) {
        this.store = store;
        this.leases = leases;
    }

    CompactionLease take(SessionId id, SessionCommands commands) {
        long before = System.nanoTime();
        LeaseRequest request = leases.request(id, LeasePurpose.COMPACTION);
        LeaseOutcome outcome = take(request);
        if (outcome instanceof LeaseOutcome.Taken taken) {
            return new Held(commands, leases, leases.hold(taken.lease(), before));
        }
        if (outcome instanceof LeaseOutcome.Held held) {
            throw new LeaseHeldException(id, held.lease());
        }
        if (outcome instanceof LeaseOutcome.NotWritten not && not.why() instanceof WriteOutcome.Damaged damaged) {
            throw new DamagedStoreException(damaged.fault());
        }
        throw new UnknownSessionException(id);
    }

    private LeaseOutcome take(LeaseRequest request) {
        try {
            return store.takeLease(request);
        } catch (RuntimeException e) {
            // only the answer may have been lost: what the store holds decides
            StoredLease stored;
            try {
                stored = store.lease(request.session(), request.purpose()).orElse(null);
            } catch (RuntimeException unreadable) {
                e.addSuppressed(unreadable);
                throw e;
            }
            if (stored == null || request.holder() == null || !request.holder().equals(stored.holder())) {
                throw e;
            }
            return new LeaseOutcome.Taken(stored, OptionalLong.empty());
        }
    }

    private record Held(SessionCommands commands, HeldLeases leases, HeldLease held) implements CompactionLease {

        @Override
        public SessionId session() {
            return held.session;
        }

        @Override
        public long token() {
            return held.token;
        }

        @Override
        public boolean isHeld() {
            return held.isHeld();
        }

        @Override
        public Appended appendAll(List<EventDraft> batch) {
            return append(AppendEvents.to(held.session, batch));
        }

        @Override
        public Appended appendAll(LongFunction<List<EventDraft>> batch) {
            return append(AppendEvents.to(held.session, batch));
        }

        private Appended append(AppendEvents command) {
            return commands.append(command.underLease(LeaseToken.ofCompaction(held.token)));
        }

        @Override
        public void close() {
            leases.release(held);
        }

        @Override
        public String toString() {
            return "CompactionLease[session=" + held.session + ", token=" + held.token + ", held=" + isHeld() + "]";
        }
    }
}
