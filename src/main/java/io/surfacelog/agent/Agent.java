package io.surfacelog.agent;

import io.surfacelog.event.ContextMessage;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SteeringMessage;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.UserMessage;

/**
 * A live agent: runs the turns of the session whose id it shares, one after the other, and holds its driver's lease.
 *
 * <pre>{@code
 * Agent agent = agents.create(SessionHeader.builder().cwd("/srv/app").build(), profile);
 * QueuedInput question = agent.followUp("Where is my parcel?");
 * question.outcome().join().reason();    // completed
 * queries.messages(agent.id());          // the answer is in the log, as everything is
 * }</pre>
 *
 * <p>What it says and does stands in the log of its session and nowhere else: subscribe to {@code session/event} to see it
 * while it works. All methods may be called by any thread, tools and hooks included.
 *
 * <p>Where the log cannot be written, or the lease is lost to another process, the agent ends: its {@link AgentError} says
 * why, and what was open is closed by whoever resumes the session.
 */
public interface Agent extends AutoCloseable {

    /** The id it shares with its session. */
    SessionId id();

    /** What it was made of. */
    AgentProfile profile();

    /** Whether it is running a turn. */
    AgentStatus status();

    /** Asks for a turn of its own, after those that are asked for already. */
    QueuedInput followUp(UserMessage message);

    /** Asks for a turn of its own that begins with this text. */
    default QueuedInput followUp(String text) {
        return followUp(UserMessage.of(text));
    }

    /**
     * A remark for the turn that is running: it joins the surface before its next step. If none is running, or it ends
     * without another step, a turn of its own begins with it.
     */
    QueuedInput steer(SteeringMessage message);

    /** A remark of this text. */
    default QueuedInput steer(String text) {
        return steer(SteeringMessage.of(text));
    }

    /** Context the model should know from the next step on. Begins no turn. */
    QueuedInput inject(ContextMessage message);

    /**
     * Takes back what was queued and is not in the log yet.
     *
     * @return false if it was claimed or discarded before
     */
    boolean discard(QueuedInput input);

    /**
     * Cancels the turn that is running; it ends {@code aborted} by the user as soon as its log says so. What was streamed is
     * kept, running tools are interrupted, and every call gets its result.
     *
     * @return false if none was running
     */
    default boolean cancel() {
        return cancel(TurnEndReason.aborted("user"));
    }

    /**
     * Cancels the turn that is running.
     *
     * @param reason how the turn ends, as {@link TurnEndReason#aborted} says it
     * @return false if none was running, or it was cancelled before
     */
    boolean cancel(TurnEndReason reason);

    /** Waits until no turn is running and none is asked for, or it is disposed. */
    void awaitIdle() throws InterruptedException;

    /** Whether it was disposed, or is about to be. */
    boolean isDisposed();

    /**
     * Disposes of it: cancels the turn that is running, discards what is queued, and waits until the loop is quiet, its last
     * events are committed and the lease is given back. Called from its own loop or tools it does not wait.
     */
    @Override
    void close();
}
