package io.surfacelog.agent;

import io.surfacelog.command.AppendEvents;
import io.surfacelog.command.Appended;
import io.surfacelog.command.DriverLease;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.LeaseLostException;
import io.surfacelog.command.OutcomeUnknownException;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.surface.Surface;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of one recorder write through, and the lock they share: whoever changes a part or writes holds its monitor,
 * so that what a part takes for true is what the log says.
 */
final class TurnLog {

    private final DriverLease driver;
    private final SessionQueries queries;
    private @Nullable Throwable lost;

    /** The chunks that are on their way, null where nothing is streamed. */
    @Nullable
    ChunkTrail streaming;

    TurnLog(DriverLease driver, SessionQueries queries) {
        this.driver = driver;
        this.queries = queries;
    }

    SessionId session() {
        return driver.session();
    }

    Surface surface() {
        return queries.surface(driver.session());
    }

    /** Appends, and returns when it is durable. */
    Appended append(String where, List<EventDraft> drafts) {
        needLog(where);
        try {
            return driver.appendAll(drafts);
        } catch (RuntimeException e) {
            noteLost(e);
            throw e;
        }
    }

    /** Appends one event there and nowhere else, and returns when it is durable. */
    Appended appendAt(String where, EventDraft draft, long seq) {
        needLog(where);
        try {
            return driver.append(AppendEvents.to(session(), List.of(draft)).expectingNextSeq(seq));
        } catch (RuntimeException e) {
            noteLost(e);
            throw e;
        }
    }

    /** With what other processes have appended. */
    Surface refreshed() {
        return queries.refresh(driver.session());
    }

    CompletableFuture<Appended> send(String where, EventDraft draft) {
        needLog(where);
        return driver.appendAllAsync(List.of(draft));
    }

    /** Behind these failures nobody here knows what the log holds, so no part may go on. */
    void noteLost(Throwable failure) {
        if (lost == null && (failure instanceof LeaseLostException || failure instanceof OutcomeUnknownException)) {
            lost = failure;
        }
    }

    /** Whether what is open can only be closed by whoever drives the session next. */
    boolean isLost() {
        return lost != null;
    }

    private void needLog(String where) {
        if (lost != null) {
            throw new RecorderException(
                    session(),
                    where,
                    "a session that is still driven here; drive it again to go on, which closes what is open",
                    "that an earlier write failed: " + lost.getMessage(),
                    lost);
        }
    }

    RecorderException refusal(String where, String expected, String found) {
        return new RecorderException(session(), where, expected, found, null);
    }

    /** Waits for the chunks on their way, and refuses to go on where one is lost. */
    void await() {
        ChunkTrail trail = streaming;
        if (trail != null) {
            trail.await();
            needAll("a flush", trail);
        }
        needLog("a flush");
    }

    void needAll(String where, ChunkTrail trail) {
        throwUntold(trail);
        Throwable failure = trail.failure();
        if (failure != null) {
            throw new RecorderException(
                    session(),
                    where,
                    "all chunks so far in the log: say interrupted() or failed(…)",
                    "that the commit of one failed: " + failure.getMessage(),
                    failure);
        }
    }

    void throwUntold(ChunkTrail trail) {
        Throwable untold = trail.untold();
        if (untold != null) {
            rethrow(untold);
        }
    }

    void rethrow(Throwable untold) {
        noteLost(untold);
        if (untold instanceof RuntimeException e) {
            throw e;
        }
        if (untold instanceof Error e) {
            throw e;
        }
        throw new IllegalStateException("an append failed with a checked exception", untold);
    }
}
