package io.surfacelog.agent;

import io.surfacelog.command.DriverLease;
import io.surfacelog.event.ContextMessage;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SteeringMessage;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.UserMessage;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.surface.StructureException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The life of an agent: its inbox, its status and its end. At most one thread runs its loop, and that one alone changes the
 * status and tells of it; what others do is guarded by the lock, under which nobody is called.
 */
final class DefaultAgent implements Agent {

    private final SessionId id;
    private final AgentProfile profile;
    private final DriverLease driver;
    private final Notifications notifications;
    private final AgentThreads threads;
    private final Consumer<DefaultAgent> whenEnded;
    private final AgentLoop loop;
    private final OwnThreads own = new OwnThreads();
    private final Inbox inbox = new Inbox();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private final Object lock = new Object();
    private AgentStatus status = AgentStatus.IDLE;
    private boolean looping;
    private boolean ending;

    /** Somebody else wrote turns, steps or results where this agent does. Only the thread that runs the loop sets it. */
    private volatile boolean disturbed;

    /** What nobody has claimed when it began to end. Written once, before that is seen. */
    private List<QueuedInput> left = List.of();

    private @Nullable Cancellation running;

    DefaultAgent(
            DriverLease driver,
            SessionQueries queries,
            AgentProfile profile,
            AgentHooks hooks,
            Notifications notifications,
            AgentThreads threads,
            Consumer<DefaultAgent> whenEnded) {
        this.id = driver.session();
        this.profile = profile;
        this.driver = driver;
        this.notifications = notifications;
        this.threads = threads;
        this.whenEnded = whenEnded;
        this.loop = new AgentLoop(
                this,
                driver,
                queries,
                hooks,
                notifications,
                threads,
                own,
                inbox,
                TurnRecorder.of(driver, queries),
                new WorkspaceContext());
    }

    @Override
    public SessionId id() {
        return id;
    }

    @Override
    public AgentProfile profile() {
        return profile;
    }

    @Override
    public AgentStatus status() {
        synchronized (lock) {
            return status;
        }
    }

    @Override
    public QueuedInput followUp(UserMessage message) {
        return add(QueuedInput.of(message));
    }

    @Override
    public QueuedInput steer(SteeringMessage message) {
        return add(QueuedInput.of(message));
    }

    @Override
    public QueuedInput inject(ContextMessage message) {
        return add(QueuedInput.of(message));
    }

    private QueuedInput add(QueuedInput input) {
        if (isDisposed()) {
            throw new AgentDisposedException(id);
        }
        // told first, so that nobody hears that it was claimed before
        notifications.send(new AgentQueued(this, AgentQueued.Change.INSERTED, input));
        synchronized (lock) {
            if (!ending) {
                inbox.add(input);
                loopIfAsked();
                return input;
            }
        }
        tellDiscarded(input);
        throw new AgentDisposedException(id);
    }

    /** The caller has the lock. */
    private void loopIfAsked() {
        if (!looping && !ending && inbox.asksForTurn()) {
            threads.executor().execute(this::run); // it waits for the lock; without a thread for it nothing has changed
            looping = true;
        }
    }

    @Override
    public boolean discard(QueuedInput input) {
        boolean found = inbox.remove(input);
        if (found) {
            tellDiscarded(input);
        }
        return found;
    }

    private void tellDiscarded(QueuedInput input) {
        input.discarded(threads);
        notifications.send(new AgentQueued(this, AgentQueued.Change.DISCARDED, input));
    }

    @Override
    public boolean cancel(TurnEndReason reason) {
        if (!reason.kind().equals(TurnEndReason.ABORTED)) {
            throw new IllegalArgumentException(
                    "expected a reason of kind aborted to cancel with, found " + reason.kind());
        }
        Cancellation turn;
        synchronized (lock) {
            turn = running;
        }
        return turn != null && turn.cancel(reason);
    }

    @Override
    public void awaitIdle() throws InterruptedException {
        synchronized (lock) {
            while (looping || (!ending && inbox.asksForTurn())) {
                lock.wait();
            }
        }
    }

    @Override
    public boolean isDisposed() {
        synchronized (lock) {
            return ending;
        }
    }

    /** Whether its last turn may be open, in a log that can be written. */
    boolean isDisturbed() {
        return disturbed;
    }

    private void run() {
        own.enter();
        try {
            do {
                become(AgentStatus.RUNNING);
                runTurns();
                become(AgentStatus.IDLE);
            } while (!mayRest());
        } finally {
            own.leave();
        }
    }

    private void runTurns() {
        for (Optional<Cancellation> turn = nextTurn(); turn.isPresent(); turn = nextTurn()) {
            Cancellation cancellation = turn.get();
            try {
                // none, if it was taken back meanwhile
                inbox.claimTurn().ifPresent(first -> loop.runTurn(first, cancellation));
            } catch (Throwable e) {
                disturbed |= e instanceof StructureException;
                notifications.send(new AgentError(this, e));
                beginToEnd();
            } finally {
                synchronized (lock) {
                    running = null;
                }
            }
        }
    }

    private Optional<Cancellation> nextTurn() {
        synchronized (lock) {
            running = ending || !inbox.asksForTurn() ? null : new Cancellation();
            return Optional.ofNullable(running);
        }
    }

    private void become(AgentStatus next) {
        synchronized (lock) {
            status = next;
        }
        notifications.send(new AgentStatusChanged(this, next));
    }

    /** Returns false if the loop has to go on; at the end of the agent it is the loop that ends it. */
    private boolean mayRest() {
        boolean over;
        synchronized (lock) {
            if (!ending && inbox.asksForTurn()) {
                return false;
            }
            over = ending;
            looping = over;
            lock.notifyAll();
        }
        if (over) {
            end();
        }
        return true;
    }

    /** Says that it is to end, without waiting for it. */
    void beginToEnd() {
        Cancellation turn;
        boolean quiet;
        synchronized (lock) {
            if (ending) {
                return;
            }
            ending = true;
            left = inbox.clear();
            turn = running;
            quiet = !looping;
            looping = true; // no loop begins any more; whoever ends it resets this
        }
        if (turn != null) {
            turn.cancel(TurnEndReason.aborted("disposed"));
        }
        if (quiet) {
            end();
        }
    }

    private void end() {
        // told by the same thread as the disposal, which comes last
        left.forEach(this::tellDiscarded);
        try {
            driver.close();
        } catch (RuntimeException e) {
            notifications.send(new AgentError(this, e));
        }
        whenEnded.accept(this);
        synchronized (lock) {
            looping = false;
            lock.notifyAll();
        }
        try {
            notifications.send(new AgentDisposed(this));
        } finally {
            ended.complete(null);
        }
    }

    @Override
    public void close() {
        beginToEnd();
        if (!own.isCurrent()) {
            ended.join();
        }
    }

    @Override
    public String toString() {
        return "agent of session " + id;
    }
}
