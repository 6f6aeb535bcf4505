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
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.stream.EventDispatcher;
import io.surfacelog.surface.Closers;
import io.surfacelog.surface.LogReader;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceChange;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Plans under the lane of the session, queues, and lets the write queue commit. */
final class DefaultSessionCommands implements SessionCommands {

    private static final int RECOVERY_ATTEMPTS = 16;

    private final EventStore store;
    private final SurfaceProjection projection;
    private final CommandSettings settings;
    private final Clock clock;
    private final CommandInterceptor.Chain chain;
    private final CommitOutcomes outcomes;
    private final WriteQueue queue;
    private final ConcurrentMap<SessionId, SessionLane> lanes = new ConcurrentHashMap<>();

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
        this.outcomes = new CommitOutcomes(store, projection, dispatcher, this::retireIfIdle);
        this.queue = new WriteQueue(store, outcomes);
        this.chain = InterceptorChain.of(interceptors, new CommandInterceptor.Chain() {

            @Override
            public <R> CompletableFuture<R> proceed(SessionCommand<R> command) {
                CompletableFuture<R> answer = execute(command);
                if (!interceptors.isEmpty()) {
                    // an interceptor may have come here on a thread that nobody waits on
                    queue.commitSoon();
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

    private <R> R await(SessionCommand<R> command) {
        CompletableFuture<R> future = chain.proceed(command);
        queue.commitUntil(future);
        return WriteQueue.join(future);
    }

    private CompletableFuture<Appended> start(AppendEvents command) {
        try {
            CompletableFuture<Appended> future = chain.proceed(command);
            queue.commitSoon();
            return future;
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The end of the chain. */
    @SuppressWarnings("unchecked") // every command answers with Appended
    private <R> CompletableFuture<R> execute(SessionCommand<R> command) {
        CompletableFuture<Appended> answer;
        if (command instanceof AppendEvents append) {
            answer = inLane(append.session(), lane -> stage(lane, append));
        } else if (command instanceof CreateSession create) {
            answer = inLane(create.session(), lane -> stage(lane, create));
        } else {
            answer = CompletableFuture.completedFuture(recoverNow(command.session()));
        }
        return (CompletableFuture<R>) answer;
    }

    private CompletableFuture<Appended> inLane(
            SessionId id, Function<SessionLane, CompletableFuture<Appended>> staging) {
        while (true) {
            SessionLane lane = lanes.computeIfAbsent(id, SessionLane::new);
            synchronized (lane) {
                if (lanes.get(id) != lane) {
                    continue; // it was retired between look-up and lock
                }
                try {
                    return staging.apply(lane);
                } finally {
                    retireIfIdle(lane);
                }
            }
        }
    }

    /** An idle lane holds nothing; the caller has its monitor. */
    private void retireIfIdle(SessionLane lane) {
        if (lane.isIdle()) {
            lanes.remove(lane.id, lane);
        }
    }

    private CompletableFuture<Appended> stage(SessionLane lane, CreateSession create) {
        if (lane.staged != null) {
            throw new SessionExistsException(lane.id);
        }
        Function<Surface, SurfaceChange> planning = base -> plan(create);
        PendingWrite write = new PendingWrite(lane, create.header(), null, planning, plan(create));
        return enqueue(lane, write);
    }

    private SurfaceChange plan(CreateSession create) {
        SurfacePlanner planner = Surface.empty()
                .planner(new SurfaceRules(create.types().orElse(settings.types()), StructureMode.REPORT));
        EventCandidate last = null;
        for (EventCandidate candidate : create.log()) {
            admit(planner, candidate);
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

    private CompletableFuture<Appended> stage(SessionLane lane, AppendEvents append) {
        String key = append.idempotencyKey().orElse(null);
        PendingWrite first = key == null ? null : lane.keys.get(key);
        if (first != null) {
            return repeated(first, append);
        }
        Surface base = lane.staged != null ? lane.staged : projection.surface(lane.id);
        long committed = lane.staged != null ? lane.committed : base.nextSeq();
        AppendPlan planning = new AppendPlan(append, settings, clock, committed);
        if (key != null) {
            PendingWrite probe =
                    new PendingWrite(lane, null, append, planning, new SurfaceChange(base, List.of(), base, List.of()));
            Appended result = store.keyed(lane.id, key)
                    .map(used -> outcomes.repeated(probe, used))
                    .orElse(null);
            if (result != null) {
                return CompletableFuture.completedFuture(result);
            }
        }
        SurfaceChange change = lane.staged != null ? planning.apply(base) : planFresh(planning, lane.id, base);
        return enqueue(lane, new PendingWrite(lane, null, append, planning, change));
    }

    /** Nothing is staged, so a refusal may be due to what another process has added: look once before refusing. */
    private SurfaceChange planFresh(AppendPlan planning, SessionId id, Surface base) {
        try {
            return planning.apply(base);
        } catch (AdmissionException | StaleSeqException e) {
            Surface fresh = projection.refresh(id);
            if (fresh.nextSeq() == base.nextSeq()) {
                throw e;
            }
            return planning.freshly(fresh.nextSeq()).apply(fresh);
        }
    }

    private CompletableFuture<Appended> repeated(PendingWrite first, AppendEvents append) {
        List<SessionEvent> events = first.change().events();
        PendingWrite probe = new PendingWrite(first.lane(), null, append, base -> first.change(), first.change());
        if (!probe.hasContentOf(events)) {
            throw new IdempotencyConflictException(
                    append.session(),
                    append.idempotencyKey().orElse(""),
                    events.get(0).seq(),
                    events.size());
        }
        return first.future()
                .thenApply(result -> new Appended(result.session(), result.events(), result.nextSeq(), true));
    }

    private CompletableFuture<Appended> enqueue(SessionLane lane, PendingWrite write) {
        queue.add(write);
        lane.stage(write);
        return write.future();
    }

    private void admit(SurfacePlanner planner, EventCandidate candidate) {
        AppendPlan.admit(planner, candidate, settings.limits());
    }

    private Appended recoverNow(SessionId session) {
        for (int attempt = 0; attempt < RECOVERY_ATTEMPTS; attempt++) {
            Appended recovered = tryRecover(session);
            if (recovered != null) {
                return recovered;
            }
        }
        throw new AppendConflictException(
                session, "other writers were faster " + RECOVERY_ATTEMPTS + " times; try it again");
    }

    /** Appends the closers of the log as it is now; null if somebody adds to it meanwhile. */
    private @Nullable Appended tryRecover(SessionId session) {
        Surface surface = projection.refresh(session);
        List<SessionEvent> closers = Closers.of(surface, log(session), settings.recovery());
        if (closers.isEmpty()) {
            return new Appended(session, List.of(), surface.nextSeq(), false);
        }
        List<EventDraft> drafts = closers.stream().map(EventDraft::of).toList();
        AppendEvents append = AppendEvents.to(session, drafts).expectingNextSeq(surface.nextSeq());
        try {
            CompletableFuture<Appended> future = inLane(session, lane -> stage(lane, append));
            queue.commitUntil(future);
            return WriteQueue.join(future);
        } catch (StaleSeqException e) {
            return null;
        }
    }

    private LogReader log(SessionId session) {
        return new LogReader() {

            @Override
            public void forEach(long from, long to, Consumer<SessionEvent> action) {
                store.forEach(session, EventRange.of(from, to), action);
            }

            @Override
            public void forEachButChunks(long from, long to, Consumer<SessionEvent> action) {
                store.forEach(session, EventRange.of(from, to).kind(EventRange.Kind.NOT_CHUNK), action);
            }
        };
    }

    /** Commits what was let in and lets in no more. */
    @Override
    public void close() {
        queue.close();
    }
}
