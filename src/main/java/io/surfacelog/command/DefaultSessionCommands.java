package io.surfacelog.command;

import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.LogOnlyPayload;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.ErasureProof;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionRemoval;
import io.surfacelog.stream.EventDispatcher;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/** Plans under the lane of the session, queues, and lets the write queue commit. */
final class DefaultSessionCommands implements SessionCommands {

    private final CommandInterceptor.Chain chain;
    private final CommandObserver observer;
    private final CommitWatch watch;
    private final long maxQueuedBytes;
    private final SessionLanes lanes = new SessionLanes();
    private final QueueRoom room;
    private final WriteQueue queue;
    private final WriteStaging staging;
    private final Continuations continuations = new Continuations();
    private final HeldLeases leases;
    private final Driving driving;
    private final CompactionLeases compactions;
    private final SessionImport imports;
    private final SessionFork forks;
    private final SessionRemovals removals;

    DefaultSessionCommands(
            EventStore store,
            SurfaceProjection projection,
            EventDispatcher dispatcher,
            CommandSettings settings,
            List<CommandInterceptor> interceptors,
            Clock clock,
            CommandObserver observer) {
        this.observer = CommandObservers.contained(observer);
        this.watch = new CommitWatch(this.observer, clock);
        this.maxQueuedBytes = settings.queue().maxBytes();
        this.room = new QueueRoom(settings.queue().maxBytes());
        CommitPublication publication = new CommitPublication(store, dispatcher);
        this.leases = new HeldLeases(store, clock, settings.lease());
        CommitOutcomes outcomes = new CommitOutcomes(store, projection, publication, room, leases, lanes::retireIfIdle);
        this.queue = new WriteQueue(store, outcomes, publication, room, watch);
        this.staging = new WriteStaging(store, projection, settings, clock, lanes, queue, room, outcomes);
        Recovery recovery = new Recovery(store, settings);
        this.driving = new Driving(store, projection, publication, queue, lanes, recovery, leases);
        this.compactions = new CompactionLeases(store, leases);
        this.imports = new SessionImport(
                store, projection, publication, new DeclaredTypes(store, settings.types()), settings.limits(), queue);
        this.forks = new SessionFork(store, publication, queue, clock);
        this.removals = new SessionRemovals(store, projection, lanes, queue);
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
    public Forked fork(SessionId source) {
        return fork(ForkSession.of(source));
    }

    @Override
    public Forked fork(SessionId source, long boundary) {
        return fork(ForkSession.of(source).at(boundary));
    }

    @Override
    public Forked fork(ForkSession command) {
        return await(command);
    }

    @Override
    public SessionRemoval delete(SessionId session) {
        return await(new DeleteSession(session));
    }

    @Override
    public ErasureProof erase(EraseSession command) {
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
        return recover(new RecoverSession(session));
    }

    @Override
    public Appended recover(RecoverSession command) {
        return await(command);
    }

    @Override
    public DriverLease drive(SessionId session) {
        return drive(new DriveSession(session));
    }

    @Override
    public DriverLease drive(DriveSession command) {
        return await(command);
    }

    @Override
    public CompactionLease leaseCompaction(SessionId session) {
        return await(new LeaseCompaction(session));
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
        CommandObserver.Course course = observer.begin(command);
        try {
            CompletableFuture<R> future = chain.proceed(command);
            queue.commitUntil(future);
            R result = WriteQueue.join(future);
            course.succeeded(result);
            return result;
        } catch (Throwable e) {
            course.failed(e);
            throw e;
        }
    }

    private CompletableFuture<Appended> start(AppendEvents command) {
        CommandObserver.Course course = observer.begin(command);
        try {
            CompletableFuture<Appended> future = chain.proceed(command);
            commitSoon(future);
            CompletableFuture<Appended> answer = continuations.of(future);
            return course == CommandObserver.Course.UNOBSERVED ? answer : observed(answer, course);
        } catch (RuntimeException e) {
            course.failed(e);
            return CompletableFuture.failedFuture(e);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the answer itself goes to the caller
    private static CompletableFuture<Appended> observed(
            CompletableFuture<Appended> answer, CommandObserver.Course course) {
        answer.whenComplete((result, failure) -> {
            if (failure == null) {
                course.succeeded(result);
            } else {
                course.failed(failure);
            }
        });
        return answer;
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
                answer = staging.append(append);
            } else if (command instanceof CreateSession create) {
                answer = staging.create(create);
            } else if (command instanceof ImportSession load) {
                staging.refuseTaken(id);
                answer = CompletableFuture.completedFuture(imports.run(load));
            } else if (command instanceof DriveSession drive) {
                answer = CompletableFuture.completedFuture(driving.drive(drive, this));
            } else if (command instanceof LeaseCompaction lease) {
                answer = CompletableFuture.completedFuture(compactions.take(lease.session(), this));
            } else if (command instanceof RecoverSession recover) {
                answer = CompletableFuture.completedFuture(driving.recover(recover));
            } else if (command instanceof ForkSession fork) {
                answer = CompletableFuture.completedFuture(forkNow(fork));
            } else if (command instanceof DeleteSession delete) {
                answer = CompletableFuture.completedFuture(removals.run(delete));
            } else if (command instanceof EraseSession erase) {
                answer = CompletableFuture.completedFuture(removals.run(erase));
            } else {
                throw new IllegalStateException("nobody carries out " + command);
            }
            return (CompletableFuture<R>) answer;
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Forked forkNow(ForkSession fork) {
        try {
            staging.refuseTaken(fork.session());
        } catch (SessionExistsException e) {
            throw SessionFork.taken(fork.session());
        }
        return forks.run(fork);
    }

    @Override
    public WriterStatus writer() {
        return new WriterStatus(
                queue.size(),
                queuedBytes(),
                maxQueuedBytes,
                room.waiting(),
                watch.committingFor(),
                watch.lastCommitAt(),
                watch.lastFailure());
    }

    /** Bytes of what is planned and not settled. */
    long queuedBytes() {
        return room.taken();
    }

    /** Commits what was let in and lets in no more. */
    @Override
    public void close() {
        queue.close();
        leases.close();
        continuations.close();
    }
}
