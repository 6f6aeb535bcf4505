package io.surfacelog.stream;

import io.surfacelog.event.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription is to hear: one session or all, and from where on.
 *
 * <pre>{@code
 * StreamRequest.of(id).fromSeq(0)                                  // a whole session, then what comes
 * StreamRequest.all().after(StreamPosition.parse("812:57"))        // where an earlier one was left
 * StreamRequest.all().whenSlow(WhenSlow.DISCONNECT).buffer(64)     // what comes from now on
 * }</pre>
 *
 * @param session the session, null for all
 * @param start where it begins
 * @param whenSlow what becomes of it when its subscriber is too slow
 * @param buffer how many commits it may be behind, from 1; 0 for what the stream is set up with
 */
public record StreamRequest(@Nullable SessionId session, Start start, WhenSlow whenSlow, int buffer) {

    /** Where a subscription begins. */
    public sealed interface Start {

        /** With what is committed after it was asked for. */
        record Now() implements Start {}

        /** Behind a position. */
        record After(StreamPosition position) implements Start {}

        /**
         * With an event of its session, whether it is there yet or not.
         *
         * @param seq the event, included
         */
        record FromSeq(long seq) implements Start {}
    }

    public StreamRequest {
        if (buffer < 0) {
            throw new IllegalArgumentException("expected a buffer of at least 1 commit, found " + buffer);
        }
        if (start instanceof Start.FromSeq from && (session == null || from.seq() < 0)) {
            throw new IllegalArgumentException("expected a seq from 0 of one session, found seq " + from.seq() + " of "
                    + (session == null ? "all sessions" : "session " + session));
        }
    }

    /** All sessions, from now on. */
    public static StreamRequest all() {
        return new StreamRequest(null, new Start.Now(), WhenSlow.BLOCK, 0);
    }

    /** One session, from now on. */
    public static StreamRequest of(SessionId session) {
        return new StreamRequest(session, new Start.Now(), WhenSlow.BLOCK, 0);
    }

    /** The same from the first event on: of the session, a fork's inherited ones included, or of the store. */
    public StreamRequest fromBeginning() {
        return session == null ? after(StreamPosition.BEGINNING) : fromSeq(0);
    }

    /** The same from this event on, included; for one session. */
    public StreamRequest fromSeq(long seq) {
        return new StreamRequest(session, new Start.FromSeq(seq), whenSlow, buffer);
    }

    /** The same behind this position. */
    public StreamRequest after(StreamPosition position) {
        return new StreamRequest(session, new Start.After(position), whenSlow, buffer);
    }

    /** The same with another policy for a slow subscriber. */
    public StreamRequest whenSlow(WhenSlow policy) {
        return new StreamRequest(session, start, policy, buffer);
    }

    /** The same with another bound, in commits. */
    public StreamRequest buffer(int commits) {
        if (commits < 1) {
            throw new IllegalArgumentException("expected a buffer of at least 1 commit, found " + commits);
        }
        return new StreamRequest(session, start, whenSlow, commits);
    }
}
