package io.surfacelog.command;

import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.KeyedAppend;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoredSession;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Finds out from the store what became of the writes of one transaction that failed: a fault may have come before the
 * commit or after it. Reading is tried a few times, once the store has failed them all only once for each further write.
 */
final class CommitFate {

    /** What is stored of a write. */
    enum Fate {
        STORED,
        NOT_STORED,
        UNKNOWN
    }

    private static final long[] PAUSES_MILLIS = {5, 25, 125};

    private final EventStore store;
    private final Throwable cause;
    private boolean patient = true;

    CommitFate(EventStore store, Throwable cause) {
        this.store = store;
        this.cause = cause;
    }

    /** Reads what is stored where the run was to be. Cost: O(events of the run). */
    Fate of(StagedRun run) {
        return look(() -> holds(run));
    }

    /** Reads whether the session was created with this header, and with events up to this tail. Cost: O(1). */
    Fate ofNew(SessionHeader header, long nextSeq) {
        return look(() -> store.find(header.id())
                .filter(stored -> stored.header().equals(header) && stored.nextSeq() == nextSeq)
                .isPresent());
    }

    private Fate look(BooleanSupplier isStored) {
        for (int attempt = 0; ; attempt++) {
            try {
                return isStored.getAsBoolean() ? Fate.STORED : Fate.NOT_STORED;
            } catch (Throwable e) {
                if (!patient || attempt == PAUSES_MILLIS.length) {
                    patient = false;
                    if (e != cause) {
                        cause.addSuppressed(e);
                    }
                    return neverBegan() ? Fate.NOT_STORED : Fate.UNKNOWN;
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSES_MILLIS[attempt]));
        }
    }

    private boolean holds(StagedRun run) {
        SessionId id = run.lane().id;
        StoredSession stored = store.find(id).orElse(null);
        SessionHeader created = run.writes().get(0).create();
        if (stored == null || (created != null && !created.equals(stored.header()))) {
            return false;
        }
        if (stored.nextSeq() < run.nextSeq()) {
            return false;
        }
        if (!run.events().isEmpty()
                && !store.events(id, EventRange.of(run.firstSeq(), run.nextSeq()))
                        .equals(run.events())) {
            return false;
        }
        for (Map.Entry<String, KeyedAppend> key : run.keys().entrySet()) {
            if (!store.keyed(id, key.getKey()).equals(Optional.of(key.getValue()))) {
                return false;
            }
        }
        return true;
    }

    /** Whether the store says of itself that it did not come to write anything. */
    private boolean neverBegan() {
        return cause instanceof StoreUnavailableException unavailable
                && switch (unavailable.reason()) {
                    case LOCKED, READ_ONLY, CANNOT_OPEN, GONE, CLOSED, CAPACITY -> true;
                    case DISK_FULL, IO -> false;
                };
    }
}
