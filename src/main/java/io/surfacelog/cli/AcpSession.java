package io.surfacelog.cli;

import io.surfacelog.agent.Agent;
import io.surfacelog.event.SessionId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A session of the connection: what is asked of it is done one after the other, as it came, beside other sessions. Safe for
 * use by several threads.
 */
final class AcpSession {

    private final SessionId id;
    private final Executor threads;
    private final Deque<Runnable> line = new ArrayDeque<>();
    private final Deque<AcpPrompt> unsettled = new ArrayDeque<>();
    private @Nullable Agent agent;
    private boolean busy;

    AcpSession(SessionId id, Executor threads) {
        this.id = id;
        this.threads = threads;
    }

    SessionId id() {
        return id;
    }

    synchronized void agent(Agent live) {
        agent = live;
    }

    /** The agent, if it is there and has not ended. */
    synchronized Optional<Agent> agent() {
        return Optional.ofNullable(agent).filter(live -> !live.isDisposed());
    }

    /** Has this done after what was asked before; it throws nothing. */
    synchronized void add(Runnable work) {
        line.add(work);
        if (!busy) {
            busy = true;
            threads.execute(this::run);
        }
    }

    private void run() {
        for (Runnable work = next(); work != null; work = next()) {
            work.run();
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable work = line.poll();
        if (work == null) {
            busy = false;
            notifyAll();
        }
        return work;
    }

    /** From now on a cancellation may mean this prompt. */
    synchronized void asked(AcpPrompt prompt) {
        unsettled.add(prompt);
    }

    /** It is answered, so that no cancellation can mean it any more. */
    synchronized void settled(AcpPrompt prompt) {
        unsettled.remove(prompt);
    }

    /** Stops the first prompt that is not settled; those behind it go on. */
    void cancel() {
        AcpPrompt first;
        synchronized (this) {
            first = unsettled.peek();
        }
        if (first != null) {
            first.cancel();
        }
    }

    /** Waits until all is done, until this time of {@link System#nanoTime()} at most. */
    synchronized void awaitDone(long deadline) throws InterruptedException {
        for (long left = deadline - System.nanoTime(); busy && left > 0; left = deadline - System.nanoTime()) {
            wait(left / 1_000_000 + 1);
        }
    }
}
