package io.surfacelog.command;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.LeaseOutcome;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.LeaseRequest;
import io.surfacelog.store.StoredLease;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.store.WriteOutcome;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceChange;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the driver's lease and writes the closers, both in one transaction or neither. Works alone and in the lane of the
 * session, when all that is staged there is settled; where another process was faster, it looks again.
 */
final class Driving {

    private static final Logger LOG = LoggerFactory.getLogger(Driving.class);
    private static final int ATTEMPTS = 64;

    /** The lease, null where none was needed, and the closers. */
    private record Taken(@Nullable StoredLease lease, Appended closers) {}

    private final EventStore store;
    private final SurfaceProjection projection;
    private final CommitPublication publication;
    private final WriteQueue queue;
    private final SessionLanes lanes;
    private final Recovery recovery;
    private final HeldLeases leases;

    Driving(
            EventStore store,
            SurfaceProjection projection,
            CommitPublication publication,
            WriteQueue queue,
            SessionLanes lanes,
            Recovery recovery,
            HeldLeases leases) {
        this.store = store;
        this.projection = projection;
        this.publication = publication;
        this.queue = queue;
        this.lanes = lanes;
        this.recovery = recovery;
        this.leases = leases;
    }

    /** Writes the closers; whoever drove the session is kept out from then on. */
    Appended recover(RecoverSession command) {
        SessionId id = command.session();
        return until(id, lane -> attempt(lane, leases.ending(id, LeasePurpose.DRIVER), command.forced()))
                .closers();
    }

    /** Takes the lease for this process, which renews it from then on. */
    DriverLease drive(DriveSession command, SessionCommands commands) {
        SessionId id = command.session();
        long before = System.nanoTime();
        Taken taken = until(id, lane -> attempt(lane, leases.request(id, LeasePurpose.DRIVER), command.forced()));
        if (taken.lease() == null) {
            throw new IllegalStateException("session \"" + id + "\" was recovered, but its lease was not taken");
        }
        return new DefaultDriverLease(commands, leases, leases.hold(taken.lease(), before), taken.closers());
    }

    private Taken until(SessionId id, Function<SessionLane, Optional<Taken>> attempt) {
        for (int i = 0; i < ATTEMPTS; i++) {
            Optional<Taken> taken = queue.aloneInSettledLane(id, lanes, attempt);
            if (taken.isPresent()) {
                return taken.get();
            }
        }
        throw new AppendConflictException(id, "other writers were faster " + ATTEMPTS + " times; try it again");
    }

    /** Empty where it has to be tried again. */
    private Optional<Taken> attempt(SessionLane lane, LeaseRequest asked, boolean forced) {
        SessionId id = lane.id;
        Surface surface = projection.refresh(id);
        if (!forced) {
            // spares the closers of what would be refused
            store.lease(id, asked.purpose()).filter(leases::isLive).ifPresent(lease -> {
                throw new LeaseHeldException(id, lease);
            });
        }
        SurfaceChange closers = recovery.plan(id, surface).orElse(null);
        List<SessionEvent> events = closers == null ? List.of() : closers.events();
        if (asked.holder() == null && closers == null && !forced) {
            return Optional.of(new Taken(null, new Appended(id, events, surface.nextSeq(), false)));
        }
        LeaseRequest request = (forced ? asked.forced() : asked).writing(surface.nextSeq(), events);
        LeaseOutcome outcome = take(lane, request, closers);
        if (outcome instanceof LeaseOutcome.Taken taken) {
            carryThrough(id, closers, taken.position());
            long nextSeq = surface.nextSeq() + events.size();
            return Optional.of(new Taken(taken.lease(), new Appended(id, events, nextSeq, false)));
        }
        if (outcome instanceof LeaseOutcome.Held held) {
            throw new LeaseHeldException(id, held.lease());
        }
        if (outcome instanceof LeaseOutcome.NotWritten not) {
            refuse(id, not.why());
        }
        return Optional.empty();
    }

    private void refuse(SessionId id, WriteOutcome why) {
        if (why instanceof WriteOutcome.Damaged damaged) {
            throw new DamagedStoreException(damaged.fault());
        }
        if (why instanceof WriteOutcome.NoSuchSession) {
            projection.forget(id);
            throw new UnknownSessionException(id);
        }
    }

    private LeaseOutcome take(SessionLane lane, LeaseRequest request, @Nullable SurfaceChange closers) {
        try {
            return store.takeLease(request);
        } catch (Throwable e) {
            // only the answer may have been lost: what the store holds decides
            Optional<StoredLease> taken = new LeaseFate(store, e).of(request, lane, closers);
            if (taken.isEmpty()) {
                projection.forget(lane.id);
                publication.owes();
                publication.tellOfTheRest();
                throw e;
            }
            return new LeaseOutcome.Taken(taken.get(), OptionalLong.empty());
        }
    }

    /** It is durable, so its caller is told so, whatever else happens here. */
    private void carryThrough(SessionId id, @Nullable SurfaceChange closers, OptionalLong position) {
        if (closers == null) {
            return;
        }
        try {
            projection.apply(id, closers);
        } catch (Throwable e) {
            LOG.error("session {} could not be brought up to date and will be opened again", id, e);
            projection.forget(id);
        }
        if (position.isPresent()) {
            publication.publish(id, closers.events(), position.getAsLong());
        } else {
            publication.owes();
            publication.tellOfTheRest();
        }
    }
}
