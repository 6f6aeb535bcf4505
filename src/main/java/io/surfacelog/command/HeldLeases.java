package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.LeaseRequest;
import io.surfacelog.store.LeaseToken;
import io.surfacelog.store.StoredLease;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The leases that this process holds, for any purpose; a thread renews each after a third of its duration. */
final class HeldLeases implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HeldLeases.class);

    private final EventStore store;
    private final Clock clock;
    private final Duration duration;
    private final ThisProcess process = new ThisProcess();
    private final Set<HeldLease> held = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor renewals =
            new ScheduledThreadPoolExecutor(1, AnswerThreads.daemons("surfacelog-leases"));

    HeldLeases(EventStore store, Clock clock, LeaseSettings settings) {
        this.store = store;
        this.clock = clock;
        this.duration = settings.duration();
        renewals.setRemoveOnCancelPolicy(true);
    }

    /** Asks for a lease to be held by this process, also in the place of a process that is known to be dead. */
    LeaseRequest request(SessionId session, LeasePurpose purpose) {
        return LeaseRequest.by(process.newHolder(), session, purpose, clock.millis(), duration)
                .alsoIf(process::knowsToBeDead);
    }

    /** Asks to end whatever lease there is, unless it is held by a process that lives, so far as that is known. */
    LeaseRequest ending(SessionId session, LeasePurpose purpose) {
        return LeaseRequest.by(null, session, purpose, clock.millis(), duration).alsoIf(process::knowsToBeDead);
    }

    /** Whether somebody holds this lease now. */
    boolean isLive(StoredLease lease) {
        return lease.isLive(clock.millis()) && !process.knowsToBeDead(lease);
    }

    /**
     * Renews a lease from now on.
     *
     * @param taken what {@link System#nanoTime} said before it was taken
     */
    HeldLease hold(StoredLease lease, long taken) {
        HeldLease one = new HeldLease(lease.session(), lease.purpose(), lease.token(), taken, duration.toNanos());
        long third = duration.toNanos() / 3;
        held.add(one);
        try {
            one.renewedBy(renewals.scheduleWithFixedDelay(() -> renew(one), third, third, TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException closing) {
            release(one);
            throw WriteQueue.isClosed(lease.session());
        }
        return one;
    }

    private void renew(HeldLease lease) {
        long before = System.nanoTime();
        try {
            if (store.renewLease(lease.session, lease.purpose, lease.token, clock.millis(), duration)) {
                lease.renewed(before);
            } else if (end(lease)) {
                LOG.warn("the lease {} on session {} was taken over", lease.token, lease.session);
            }
        } catch (Throwable e) {
            // whatever it is, the next time comes
            LOG.warn("the lease {} on session {} is renewed later: {}", lease.token, lease.session, e.toString());
        }
    }

    /** A commit has found that the lease with this token is no longer the session's. */
    void lost(SessionId session, LeaseToken token) {
        for (HeldLease lease : held) {
            if (lease.token == token.token() && lease.purpose == token.purpose() && lease.session.equals(session)) {
                end(lease);
            }
        }
    }

    /** Lets go of it, unless that was done or it is lost. */
    void release(HeldLease lease) {
        if (!end(lease)) {
            return;
        }
        try {
            store.releaseLease(lease.session, lease.purpose, lease.token, clock.millis());
        } catch (RuntimeException e) {
            LOG.warn(
                    "the lease {} on session {} could not be released and will expire: {}",
                    lease.token,
                    lease.session,
                    e.toString());
        }
    }

    private boolean end(HeldLease lease) {
        held.remove(lease);
        return lease.end();
    }

    /** Releases all of them. */
    @Override
    public void close() {
        renewals.shutdownNow();
        List.copyOf(held).forEach(this::release);
    }
}
