package io.surfacelog.compaction;

import io.surfacelog.event.SessionId;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Asks for a compaction. Immutable.
 *
 * <pre>{@code
 * compactions.compact(CompactionRequest.now(id).cancelledWhen(step::isCancelled));
 * compactions.compact(CompactionRequest.range(id, 12, 57).widened());
 * }</pre>
 *
 * @param session the session
 * @param cause why it is asked for
 * @param range the nodes to hide, for the cause {@link Cause#RANGE} alone
 * @param cancelled whether it is not wanted any more; asked often, by any thread
 * @param commandId the command that asked for it, recorded in the log
 */
public record CompactionRequest(
        SessionId session, Cause cause, Optional<Range> range, BooleanSupplier cancelled, Optional<String> commandId) {

    /** Why a surface is to be compacted. */
    public enum Cause {
        /** It has come close to the model's context window. */
        PRESSURE,
        /** The model has refused it as too long. */
        OVERFLOW,
        /** Somebody asks for it. */
        ASKED,
        /** Somebody asks for certain nodes to be hidden. */
        RANGE
    }

    /**
     * Nodes to hide.
     *
     * @param start seq of the first
     * @param end seq of the last, included
     * @param widened whether the next safe edges around them are meant where these are none
     */
    public record Range(long start, long end, boolean widened) {}

    public CompactionRequest {
        if (range.isPresent() != (cause == Cause.RANGE)) {
            throw new IllegalArgumentException("expected a range exactly for the cause RANGE, found " + cause);
        }
    }

    /** If the surface has come close to the model's context window. */
    public static CompactionRequest ifNeeded(SessionId session) {
        return of(session, Cause.PRESSURE);
    }

    /** After the model has refused the surface as too long. */
    public static CompactionRequest afterOverflow(SessionId session) {
        return of(session, Cause.OVERFLOW);
    }

    /** Whatever the surface costs. */
    public static CompactionRequest now(SessionId session) {
        return of(session, Cause.ASKED);
    }

    /** Of the nodes from one seq to another, both included. */
    public static CompactionRequest range(SessionId session, long start, long end) {
        return new CompactionRequest(
                session, Cause.RANGE, Optional.of(new Range(start, end, false)), () -> false, Optional.empty());
    }

    private static CompactionRequest of(SessionId session, Cause cause) {
        return new CompactionRequest(session, cause, Optional.empty(), () -> false, Optional.empty());
    }

    /** The same, widened to the next safe edges; nothing but for a range. */
    public CompactionRequest widened() {
        return new CompactionRequest(
                session, cause, range.map(asked -> new Range(asked.start(), asked.end(), true)), cancelled, commandId);
    }

    /** The same, ended with an error as soon as this holds. */
    public CompactionRequest cancelledWhen(BooleanSupplier holds) {
        return new CompactionRequest(session, cause, range, holds, commandId);
    }

    /** The same, with the command that asked for it. */
    public CompactionRequest askedBy(String command) {
        return new CompactionRequest(session, cause, range, cancelled, Optional.of(command));
    }
}
