package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.LeasePurpose;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** One lease of this process, from when it was taken until it is released or found to be lost. */
final class HeldLease {

    final SessionId session;
    final LeasePurpose purpose;
    final long token;
    private final long nanos;
    private volatile long renewed;
    private volatile boolean ended;
    private volatile @Nullable Future<?> renewal;

    /**
     * A lease just taken.
     *
     * @param taken what {@link System#nanoTime} said before that
     * @param nanos how long it lives unless it is renewed
     */
    HeldLease(SessionId session, LeasePurpose purpose, long token, long taken, long nanos) {
        this.session = session;
        this.purpose = purpose;
        this.token = token;
        this.renewed = taken;
        this.nanos = nanos;
    }

    boolean isHeld() {
        // by a clock that nobody can set
        return !ended && System.nanoTime() - renewed < nanos;
    }

    void renewed(long at) {
        renewed = at;
    }

    void renewedBy(Future<?> task) {
        renewal = task;
        if (ended) {
            task.cancel(false);
        }
    }

    /** It is not renewed from now on; returns whether it was until now. */
    synchronized boolean end() {
        boolean first = !ended;
        ended = true;
        Future<?> task = renewal;
        if (task != null) {
            task.cancel(false);
        }
        return first;
    }
}
