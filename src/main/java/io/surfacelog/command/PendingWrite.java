package io.surfacelog.command;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.store.LeaseToken;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceChange;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One write on its way from plan to commit. Its plan is guarded by the monitor of its lane. Its future is completed on
 * the thread that leads the commit, so nothing that may take its time hangs on it.
 */
final class PendingWrite {

    /** What an event, or a write without any, takes beside its data. */
    private static final long ENVELOPE_BYTES = 128;

    private final SessionLane lane;
    private final @Nullable SessionHeader create;
    private final @Nullable AppendEvents append;
    private final WritePlan plan;
    private final CompletableFuture<Appended> future = new CompletableFuture<>();
    private final long bytes;
    private final long plannedNanos = System.nanoTime();
    private SurfaceChange change;
    private int conflicts;

    private PendingWrite(
            SessionLane lane,
            @Nullable SessionHeader create,
            @Nullable AppendEvents append,
            WritePlan plan,
            SurfaceChange change) {
        this.lane = lane;
        this.create = create;
        this.append = append;
        this.plan = plan;
        this.change = change;
        this.bytes = size(change.events());
    }

    private static long size(List<SessionEvent> events) {
        long bytes = ENVELOPE_BYTES;
        for (SessionEvent event : events) {
            bytes += ENVELOPE_BYTES + event.data().utf8Bytes();
        }
        return bytes;
    }

    static PendingWrite create(SessionLane lane, SessionHeader header, SurfaceChange change) {
        return new PendingWrite(
                lane,
                header,
                null,
                base -> {
                    throw new SessionExistsException(lane.id);
                },
                change);
    }

    static PendingWrite append(SessionLane lane, AppendEvents append, WritePlan plan, SurfaceChange change) {
        return new PendingWrite(lane, null, append, plan, change);
    }

    /** Events that are right only where they were planned. */
    static PendingWrite here(SessionLane lane, SurfaceChange change) {
        long expected = change.before().nextSeq();
        return new PendingWrite(
                lane,
                null,
                null,
                base -> {
                    throw new StaleSeqException(lane.id, expected, base.nextSeq());
                },
                change);
    }

    SessionLane lane() {
        return lane;
    }

    SurfaceChange change() {
        return change;
    }

    @Nullable
    SessionHeader create() {
        return create;
    }

    @Nullable
    AppendEvents append() {
        return append;
    }

    CompletableFuture<Appended> future() {
        return future;
    }

    Optional<String> key() {
        return append == null ? Optional.empty() : append.idempotencyKey();
    }

    /** The token of the driver's lease it is made under; empty for a plain write. */
    Optional<LeaseToken> leaseToken() {
        return append == null ? Optional.empty() : append.leaseToken();
    }

    /** The room it takes in the queue, as it was first planned. */
    long bytes() {
        return bytes;
    }

    /** When it was first planned, by {@link System#nanoTime()}. */
    long plannedNanos() {
        return plannedNanos;
    }

    /** Counts one more commit in which another writer was faster; returns how many there were. */
    int conflict() {
        return ++conflicts;
    }

    /** Plans the write again, on another surface. */
    void planAgain(Surface base) {
        change = plan.on(base);
    }

    /** It is not carried out. */
    void discard() {
        plan.discard();
    }

    Appended result() {
        return new Appended(lane.id, change.events(), change.after().nextSeq(), false);
    }
}
