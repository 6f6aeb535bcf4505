package io.surfacelog.command;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventType;
import io.surfacelog.event.JsonText;
import io.surfacelog.event.LogOnlyPayload;
import io.surfacelog.event.SessionEndSeed;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventStore;
import io.surfacelog.stream.EventDispatcher;
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
import java.util.function.BiFunction;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Plans under the lane of the session, queues, and lets the write queue commit. */
final class DefaultSessionCommands implements SessionCommands {

    private static final int RECOVERY_ATTEMPTS = 16;

    private final EventStore store;
    private final SurfaceProjection projection;
    private final CommandSettings settings;
    private final Clock clock;
    private final DeclaredTypes declared;
    private final CommandInterceptor.Chain chain;
    private final SessionLanes lanes = new SessionLanes();
    private final QueueRoom room;
    private final CommitOutcomes outcomes;
    private final WriteQueue queue;
    private final Continuations continuations = new Continuations();
    private final Recovery recovery;
    private final SessionImport imports;

    DefaultSessionCommands(
            EventStore store,
            SurfaceProjection projection,
            EventDispatcher dispatcher,
            CommandSettings settings,
            List<CommandInterceptor> interceptors,
            Clock clock) {
        this.store = store;
        this.projection = projection;
        this.settings = settings;
        this.clock = clock;
        this.declared = new DeclaredTypes(store, settings.types());
        this.room = new QueueRoom(settings.queue().maxBytes());
        this.outcomes = new CommitOutcomes(store, projection, dispatcher, room, lanes::retireIfIdle);
        this.queue = new WriteQueue(store, outcomes, room);
        this.recovery = new Recovery(store, projection, settings);
        this.imports = new SessionImport(store, projection, dispatcher, declared, settings.limits(), queue);
        List<CommandInterceptor> ordered = List.copyOf(interceptors);
        this.chain = InterceptorChain.of(ordered, new CommandInterceptor.Chain() {

            @Override
            public <R> CompletableFuture<R> proceed(SessionCommand<R> command) {
                CompletableFuture<R> answer = execute(command);
                if (!ordered.isEmpty()) {
                    // an interceptor may have come here on a thread that nobody waits on
                    commitSoon(answer);
                }
                return answer;
            }
        });
    }

    @Override
    public SessionId create(SessionHeader header) {
        return create(CreateSession.empty(header)).session();
    }

    @Override
    public SessionId create(SessionHeader header, List<EventCandidate> seed) {
        return create(CreateSession.seeded(header, seed)).session();
    }

    @Override
    public Appended create(CreateSession command) {
        return await(command);
    }

    @Override
    public Imported importLog(ImportSession command) {
        return await(command);
    }

    @Override
    public Appended append(SessionId session, SurfacePayload payload, SurfaceIntent intent) {
        return appendAll(session, List.of(EventDraft.of(payload, intent)));
    }

    @Override
    public Appended append(SessionId session, LogOnlyPayload payload) {
        return appendAll(session, List.of(EventDraft.of(payload)));
    }

    @Override
    public Appended append(AppendEvents command) {
        return await(command);
    }

    @Override
    public Appended appendAll(SessionId session, List<EventDraft> batch) {
        return await(AppendEvents.to(session, batch));
    }

    @Override
    public Appended appendAll(SessionId session, LongFunction<List<EventDraft>> batch) {
        return await(AppendEvents.to(session, batch));
    }

    @Override
    public CompletableFuture<Appended> appendAsync(SessionId session, SurfacePayload payload, SurfaceIntent intent) {
        return appendAllAsync(session, List.of(EventDraft.of(payload, intent)));
    }

    @Override
    public CompletableFuture<Appended> appendAsync(SessionId session, LogOnlyPayload payload) {
        return appendAllAsync(session, List.of(EventDraft.of(payload)));
    }

    @Override
    public CompletableFuture<Appended> appendAsync(AppendEvents command) {
        return start(command);
    }

    @Override
    public CompletableFuture<Appended> appendAllAsync(SessionId session, List<EventDraft> batch) {
        return start(AppendEvents.to(session, batch));
    }

    @Override
    public CompletableFuture<Appended> appendAllAsync(SessionId session, LongFunction<List<EventDraft>> batch) {
        return start(AppendEvents.to(session, batch));
    }

    @Override
    public Appended recover(SessionId session) {
        return await(new RecoverSession(session));
    }

    @Override
    public void flush(SessionId session) {
        CompletableFuture<Void> settled = settled(session);
        queue.commitUntil(settled);
        settled.join();
    }

    @Override
    public CompletableFuture<Void> flushAsync(SessionId session) {
        try {
            CompletableFuture<Void> settled = settled(session);
            commitSoon(settled);
            return continuations.of(settled);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<Void> settled(SessionId session) {
        if (queue.isLedByThisThread()) {
            throw SessionLanes.writeWithinPlan(session);
        }
        return lanes.in(session, SessionLane::settled);
    }

    private <R> R await(SessionCommand<R> command) {
        CompletableFuture<R> future = chain.proceed(command);
        queue.commitUntil(future);
        return WriteQueue.join(future);
    }

    private CompletableFuture<Appended> start(AppendEvents command) {
        try {
            CompletableFuture<Appended> future = chain.proceed(command);
            commitSoon(future);
            return continuations.of(future);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void commitSoon(CompletableFuture<?> future) {
        if (!future.isDone()) {
            queue.commitSoon();
        }
    }

    /** The end of the chain; interceptors meet every refusal where they meet every result, in the future. */
    @SuppressWarnings("unchecked") // each command is answered with what it says
    private <R> CompletableFuture<R> execute(SessionCommand<R> command) {
        SessionId id = command.session();
        try {
            if (queue.isLedByThisThread()) {
                throw SessionLanes.writeWithinPlan(id);
            }
            CompletableFuture<?> answer;
            if (command instanceof AppendEvents append) {
                answer = withRoom(id, (lane, held) -> stage(lane, append, held));
            } else if (command instanceof CreateSession create) {
                answer = withRoom(id, (lane, held) -> stage(lane, create, held));
            } else if (command instanceof ImportSession load) {
                lanes.in(id, lane -> refuseTaken(lane));
                answer = CompletableFuture.completedFuture(imports.run(load));
            } else {
                answer = CompletableFuture.completedFuture(recoverNow(id));
            }
            return (CompletableFuture<R>) answer;
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Stages in the lane of the session. Where there is no room for what was planned, it is waited for outside of the lane,
     * which others need to settle their writes, and planned anew.
     */
    private <T> T withRoom(SessionId id, BiFunction<SessionLane, QueueRoom.Held, T> staging) {
        QueueRoom.Held[] held = {new QueueRoom.Held()};
        try {
            while (true) {
                try {
                    return lanes.in(id, lane -> staging.apply(lane, held[0]));
                } catch (NoRoomException e) {
                    held[0] = waitForRoom(id, e.bytes());
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

    private CompletableFuture<Appended> stage(SessionLane lane, CreateSession create, QueueRoom.Held held) {
        refuseTaken(lane);
        SurfaceChange change = plan(create);
        return enqueue(lane, PendingWrite.create(lane, create.header(), change), held);
    }

    /** The commit decides; this spares the plan. */
    private boolean refuseTaken(SessionLane lane) {
        if (lane.staged != null || store.find(lane.id).isPresent()) {
            throw new SessionExistsException(lane.id);
        }
        return true;
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
            planner.add(EventCandidate.of(SessionEvent.of(
                    planner.nextSeq(),
                    clock.millis(),
                    EventType.SESSION_END_SEED,
                    JsonText.of(SessionEndSeed.of().json()),
                    null,
                    false)));
        }
        return planner.change();
    }

    /** A key comes before everything else, at every look, since its append may have moved the tail itself. */
    private CompletableFuture<Appended> stage(SessionLane lane, AppendEvents append, QueueRoom.Held held) {
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
        return enqueue(lane, PendingWrite.append(lane, append, plan, change), held);
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

    private Appended recoverNow(SessionId session) {
        for (int attempt = 0; attempt < RECOVERY_ATTEMPTS; attempt++) {
            CompletableFuture<@Nullable Appended> future =
                    withRoom(session, (lane, held) -> recovery.attempt(lane, write -> enqueue(lane, write, held)));
            queue.commitUntil(future);
            Appended recovered = WriteQueue.join(future);
            if (recovered != null) {
                return recovered;
            }
        }
        throw new AppendConflictException(
                session, "other writers were faster " + RECOVERY_ATTEMPTS + " times; try it again");
    }

    /** Bytes of what is planned and not settled. */
    long queuedBytes() {
        return room.taken();
    }

    /** Commits what was let in and lets in no more. */
    @Override
    public void close() {
        queue.close();
        continuations.close();
    }
}
