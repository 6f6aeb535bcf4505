package io.surfacelog.cli;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.stream.SessionEventCommitted;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Shows one turn to the client while its events are committed, and nothing else of its session. Its end is known when all of
 * it was shown.
 */
final class AcpTurn {

    private final long turn;
    private final AcpUpdates updates;
    private final CompletableFuture<TurnEndReason> end = new CompletableFuture<>();
    private long shownTo;
    private long lostFrom = Long.MAX_VALUE;
    private @Nullable Throwable lost;

    /**
     * @param turn its number
     * @param from the first event that is delivered
     */
    AcpTurn(long turn, long from, AcpUpdates updates) {
        this.turn = turn;
        this.shownTo = from;
        this.updates = updates;
    }

    /** How it ended; failed with what kept it from ending. */
    CompletableFuture<TurnEndReason> end() {
        return end;
    }

    /** Takes the next event of the session. */
    synchronized void accept(SessionEventCommitted committed) {
        SessionEvent event = committed.event();
        if (!end.isDone() && event.place().turn() == turn) {
            if (event.payload() instanceof TurnEnd ended) {
                end.complete(ended.reason());
            } else {
                updates.accept(event);
            }
        }
        shownTo = event.seq() + 1;
        endIfLost();
    }

    /** No end will come: the log cannot be written. What it holds before this seq is shown first. */
    synchronized void lost(long before, Throwable failure) {
        lostFrom = before;
        lost = failure;
        endIfLost();
    }

    private void endIfLost() {
        if (lost != null && shownTo >= lostFrom) {
            end.completeExceptionally(lost);
        }
    }
}
