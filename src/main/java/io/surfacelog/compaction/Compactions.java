package io.surfacelog.compaction;

import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import java.util.List;

/**
 * Compacts surfaces: old messages make room for a summary that cites them. Nothing is lost, since they stay in the log. Inject
 * it.
 *
 * <pre>{@code
 * CompactionOutcome outcome = compactions.compactNow(id);
 * if (outcome instanceof CompactionOutcome.Compacted compacted) {
 *     queries.provenance(id, compacted.seq()); // what the summary was made of
 * }
 * }</pre>
 *
 * <p>A compaction begins with {@code compaction/start} in a commit of its own, so that a crash is visible. The summary is made
 * then, while others go on appending; what they append survives. One commit ends it: the summary, the message that takes the
 * place of the hidden ones, and {@code compaction/end}. A compaction that fails ends with its error, and the surface is as it
 * was. One at a time is made of a session, over all processes that have the store open: a compaction lease, renewed meanwhile,
 * tells one that runs from one whose process died, which the next one closes first.
 *
 * <p>It works within a turn and outside of one, and needs no driver's lease. All methods may be called by any thread; they
 * return when the compaction has ended, which takes as long as the summary. Cost: O(surface) and two commits, or O(1) where
 * {@link #compactIfNeeded} finds no need.
 */
public interface Compactions extends AutoCloseable {

    /** Compactions by this summarizer, with the heuristic estimate of tokens, the standard pins and nobody told. */
    static Compactions of(
            SessionCommands commands, SessionQueries queries, Summarizer summarizer, CompactionSettings settings) {
        TokenMeter meter = new TokenMeter(queries, TokenEstimator.heuristic());
        return of(commands, queries, meter, summarizer, settings, PinnedNodes.standard(), List.of());
    }

    /**
     * Compactions of the sessions of these commands.
     *
     * @param queries those of the same store and projection
     * @param meter what prices surfaces
     * @param pinned which nodes stay
     * @param listeners told of each compaction that has ended
     */
    static Compactions of(
            SessionCommands commands,
            SessionQueries queries,
            TokenMeter meter,
            Summarizer summarizer,
            CompactionSettings settings,
            PinnedNodes pinned,
            List<CompactionListener> listeners) {
        return new DefaultCompactions(commands, queries, Prices.of(meter), summarizer, settings, pinned, listeners);
    }

    /**
     * Compacts, if the surface has come close to the model's context window.
     *
     * @throws CompactionRunningException if it is needed and somebody is at it
     */
    default CompactionOutcome compactIfNeeded(SessionId session) {
        return compact(CompactionRequest.ifNeeded(session));
    }

    /**
     * Compacts all but the newest messages, whatever the surface costs.
     *
     * @throws CompactionRunningException if somebody is at it
     */
    default CompactionOutcome compactNow(SessionId session) {
        return compact(CompactionRequest.now(session));
    }

    /**
     * Hides the nodes from one seq to another, both included.
     *
     * @throws UnsafeBoundaryException if they must not be hidden as they are
     * @throws CompactionRunningException if somebody is at it
     */
    default CompactionOutcome compactRange(SessionId session, long start, long end) {
        return compact(CompactionRequest.range(session, start, end));
    }

    /**
     * Whether the surface has come close to the model's context window. Cost: O(1) where nothing is new.
     *
     * @throws io.surfacelog.store.UnknownSessionException if there is no such session
     */
    boolean isNeeded(SessionId session);

    /**
     * Compacts as asked; {@link CompactionRequest} has all that can be said.
     *
     * @throws UnsafeBoundaryException if a range must not be hidden
     * @throws CompactionRunningException if somebody is at it
     * @throws io.surfacelog.store.UnknownSessionException if there is no such session
     * @throws io.surfacelog.store.StoreException if the store cannot be read or written; a bracket that is open then is closed
     *     by the next compaction
     */
    CompactionOutcome compact(CompactionRequest request);

    /** Cancels what runs, and compacts no more. */
    @Override
    void close();
}
