package io.surfacelog.command;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEndSeed;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventStore;
import io.surfacelog.surface.StructureException;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceChange;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Plans writes in the lane of their session and queues them, as far as there is room. Any thread may call it. */
final class WriteStaging {

    /** Lets a planned write in; within the lane. */
    interface Enqueue {
        CompletableFuture<Appended> write(PendingWrite write);
    }

    /** Plans in the lane, under its monitor, perhaps more than once. */
    interface Attempt<T> {
        T in(SessionLane lane, Enqueue enqueue);
    }

    /** How often an append that is refused for the sake of staged ones is planned again when those are settled. */
    private static final int MAX_UNSETTLED_REFUSALS = 5;

    private final EventStore store;
    private final SurfaceProjection projection;
    private final CommandSettings settings;
    private final Clock clock;
    private final DeclaredTypes declared;
    private final SessionLanes lanes;
    private final WriteQueue queue;
    private final QueueRoom room;
    private final CommitOutcomes outcomes;

    WriteStaging(
            EventStore store,
            SurfaceProjection projection,
            CommandSettings settings,
            Clock clock,
            SessionLanes lanes,
            WriteQueue queue,
            QueueRoom room,
            CommitOutcomes outcomes) {
        this.store = store;
        this.projection = projection;
        this.settings = settings;
        this.clock = clock;
        this.declared = new DeclaredTypes(store, settings.types());
        this.lanes = lanes;
        this.queue = queue;
        this.room = room;
        this.outcomes = outcomes;
    }

    CompletableFuture<Appended> create(CreateSession create) {
        return stage(create.session(), (lane, enqueue) -> stage(lane, create, enqueue));
    }

    /** Spares the plan of what the commit would refuse. */
    void refuseTaken(SessionId id) {
        lanes.in(id, lane -> refuseTaken(lane));
    }

    private boolean refuseTaken(SessionLane lane) {
        if (lane.staged != null || store.find(lane.id).isPresent()) {
            throw new SessionExistsException(lane.id);
        }
        return true;
    }

    CompletableFuture<Appended> append(AppendEvents append) {
        return stage(append.session(), (lane, enqueue) -> stage(lane, append, enqueue));
    }

    /**
     * Stages in the lane of the session. Where there is no room for what was planned, it is waited for outside of the lane,
     * which others need to settle their writes, and planned anew.
     */
    <T> T stage(SessionId id, Attempt<T> attempt) {
        QueueRoom.Held[] held = {new QueueRoom.Held()};
        int refusals = 0;
        try {
            while (true) {
                try {
                    return lanes.in(id, lane -> attempt.in(lane, write -> enqueue(lane, write, held[0])));
                } catch (NoRoomException e) {
                    held[0] = waitForRoom(id, e.bytes());
                } catch (UnsettledRefusalException e) {
                    if (++refusals > MAX_UNSETTLED_REFUSALS) {
                        throw e.refusal();
                    }
                    queue.commitUntil(e.settled());
                    e.settled().join();
                }
            }
        } finally {
            room.giveBack(held[0]);
        }
    }

    private QueueRoom.Held waitForRoom(SessionId id, long bytes) {
        QueueSettings limits = settings.queue();
        if (limits.whenFull() == QueueSettings.WhenFull.FAIL) {
            throw new QueueFullException(id, bytes, room.taken(), limits.maxBytes());
        }
        try {
            return room.await(bytes, queue::commitOnce, queue::isClosed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WriteInterruptedException(id);
        }
    }

    private CompletableFuture<Appended> stage(SessionLane lane, CreateSession create, Enqueue enqueue) {
        refuseTaken(lane);
        SurfaceChange change = plan(create);
        return enqueue.write(PendingWrite.create(lane, create.header(), change));
    }

    private SurfaceChange plan(CreateSession create) {
        SurfacePlanner planner = Surface.empty()
                .planner(new SurfaceRules(create.types().orElse(settings.types()), StructureMode.REPORT));
        EventCandidate last = null;
        for (EventCandidate candidate : create.log()) {
            AppendPlan.admit(planner, () -> candidate, settings.limits());
            last = candidate;
        }
        boolean seed = create.origin() == CreateSession.Origin.SEED;
        if (seed && (last == null || !last.type().equals(EventType.SESSION_END_SEED))) {
            planner.add(
                    EventCandidate.of(EventDraft.of(SessionEndSeed.of()).toEvent(planner.nextSeq(), clock.millis())));
        }
        return planner.change();
    }

    /** A key comes before everything else, at every look, since its append may have moved the tail itself. */
    private CompletableFuture<Appended> stage(SessionLane lane, AppendEvents append, Enqueue enqueue) {
        PendingWrite first = append.idempotencyKey().map(lane.keys::get).orElse(null);
        if (first != null) {
            return repeated(first, append);
        }
        Surface staged = lane.staged;
        Surface base = staged != null ? staged : projection.surface(lane.id);
        Optional<Appended> stored = stored(append);
        if (stored.isPresent()) {
            return CompletableFuture.completedFuture(stored.get());
        }
        AppendPlan plan = new AppendPlan(append, settings, clock, staged != null ? lane.committed : base.nextSeq());
        SurfaceChange change;
        try {
            change = plan.on(base);
        } catch (AdmissionException | StructureException | StaleSeqException e) {
            Optional<LeaseLostException> lost = outcomes.lostLease(lane.id, append.leaseToken());
            if (lost.isPresent()) {
                throw lost.get();
            }
            if (staged != null && UnsettledRefusalException.mayChange(e)) {
                throw new UnsettledRefusalException(e, lane.settled());
            }
            // with nothing staged, the refusal may be due to what another process has added: look once before refusing
            Surface fresh = staged != null ? base : projection.refresh(lane.id);
            if (fresh.nextSeq() == base.nextSeq()) {
                throw e;
            }
            stored = stored(append);
            if (stored.isPresent()) {
                return CompletableFuture.completedFuture(stored.get());
            }
            plan = new AppendPlan(append, settings, clock, fresh.nextSeq());
            change = plan.on(fresh);
        }
        return enqueue.write(PendingWrite.append(lane, append, plan, change));
    }

    private Optional<Appended> stored(AppendEvents append) {
        return append.idempotencyKey()
                .flatMap(key -> store.keyed(append.session(), key))
                .map(used -> outcomes.repeated(append, used));
    }

    private static CompletableFuture<Appended> repeated(PendingWrite first, AppendEvents append) {
        List<SessionEvent> events = first.change().events();
        if (!append.became(events, false)) {
            throw new IdempotencyConflictException(
                    append.session(),
                    append.idempotencyKey().orElse(""),
                    events.get(0).seq(),
                    events.size());
        }
        return first.future()
                .thenApply(result -> new Appended(result.session(), result.events(), result.nextSeq(), true));
    }

    /** The caller has the lane's monitor. */
    private CompletableFuture<Appended> enqueue(SessionLane lane, PendingWrite write, QueueRoom.Held held) {
        boolean roomTaken = false;
        boolean queued = false;
        try {
            roomTaken = room.take(write.bytes(), held);
            if (!roomTaken && !queue.isClosed()) {
                throw new NoRoomException(write.bytes());
            }
            declared.declareThoseOf(write.change().events());
            queue.add(write);
            queued = true;
        } finally {
            if (!queued) {
                write.discard();
                if (roomTaken) {
                    room.giveBack(write.bytes());
                }
            }
        }
        lane.stage(write);
        return write.future();
    }
}
