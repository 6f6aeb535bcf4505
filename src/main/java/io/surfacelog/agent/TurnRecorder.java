package io.surfacelog.agent;

import io.surfacelog.command.DriverLease;
import io.surfacelog.command.EventDraft;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.UserMessage;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.surface.Surface;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records the turns of an agent that has a loop of its own, and can only write well-formed ones.
 *
 * <pre>{@code
 * try (DriverLease driver = commands.drive(id)) {
 *     TurnRecorder recorder = TurnRecorder.of(driver, queries);
 *     try (RecordedTurn turn = recorder.startTurn(UserMessage.of("Where is my parcel?"))) {
 *         try (RecordedStep step = turn.startStep()) {
 *             step.header(header);
 *             RecordedAttempt attempt = step.attempt();
 *             attempt.chunk(StreamChunk.text(0, "In Lyon."));
 *             attempt.chunk(StreamChunk.finish("stop"));
 *             attempt.complete();
 *             step.end();
 *         }
 *         turn.completed();
 *     }
 * }
 * }</pre>
 *
 * <p>A turn has steps, a step has attempts to have it answered by the model, and calls of tools, each part an object that is
 * closed before the one it belongs to. {@code close()} of a part that was not ended properly, as try-with-resources calls it
 * when something is thrown, closes what is open in it.
 *
 * <p>Every method returns when what it has written is durable, but for {@link RecordedAttempt#chunk}, which does not wait. A
 * refused or failed call writes nothing and changes nothing, so that it may be made again: {@link RecorderException} where
 * it would break the shape of the turn, and else what {@link DriverLease#append(io.surfacelog.command.AppendEvents)} throws.
 * Two failures end it for good, a lost lease and an unknown outcome: then every call is refused, {@code close()} writes
 * nothing, and whoever drives the session next closes what is open.
 *
 * <p>Others may append to the session meanwhile; citations stay exact. One recorder at a time drives a session; for an agent
 * whose loop need not be its own there is the agent loop. All methods of it and its parts may be called by any thread, one
 * waits for the other.
 */
public final class TurnRecorder {

    private final TurnLog log;
    private final TurnRequest request = new TurnRequest();
    private @Nullable RecordedTurn turn;

    private TurnRecorder(TurnLog log) {
        this.log = log;
    }

    /** A recorder for the session this is the lease of; it neither closes the lease nor outlives it. */
    public static TurnRecorder of(DriverLease driver, SessionQueries queries) {
        return new TurnRecorder(new TurnLog(driver, queries));
    }

    public SessionId session() {
        return log.session();
    }

    /**
     * Starts the next turn: the number behind that of the last one of the log, inherited ones included, from 1.
     *
     * @throws RecorderException if a turn is open
     */
    public RecordedTurn startTurn() {
        return startTurn(new UserMessage[0]);
    }

    /** As {@link #startTurn()}, with what is asked, in one commit. */
    public RecordedTurn startTurn(UserMessage... input) {
        synchronized (log) {
            Surface surface = log.surface();
            if (surface.hasOpenTurn() || turn != null && turn.isOpen()) {
                throw log.refusal("a new turn", "turn " + surface.lastTurn() + " to end first", "that it is open");
            }
            long number = surface.lastTurn() + 1;
            List<EventDraft> drafts = new ArrayList<>();
            drafts.add(EventDraft.of(TurnStart.of(number)));
            for (UserMessage message : input) {
                drafts.add(EventDraft.of(message, SurfaceIntent.append()));
            }
            long startSeq = log.append("turn " + number, drafts).firstSeq();
            RecordedTurn started = new RecordedTurn(log, request, number, startSeq);
            turn = started;
            return started;
        }
    }

    /**
     * Waits until everything recorded so far is durable: for the point behind which something happens that cannot be taken
     * back. Results that are {@linkplain RecordedStep#resultsInCallOrder() held} are not recorded yet. Cost: O(chunks on their
     * way).
     *
     * @throws RecorderException if chunks of the open attempt are lost, or nothing can be written any more; what a chunk failed
     *     with is thrown itself where no call has thrown it yet
     */
    public void flush() {
        synchronized (log) {
            log.await();
        }
    }
}
