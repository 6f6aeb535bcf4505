package io.surfacelog.command;

import io.surfacelog.event.Json;
import io.surfacelog.event.SessionId;
import java.util.Optional;

/**
 * Create a session that begins with the first events of another one and goes on by itself. The events are shared, not
 * copied, and the other session is neither written to nor opened.
 *
 * <pre>{@code
 * commands.fork(ForkSession.of(source).at(41).as(SessionId.of("second-try")));
 * }</pre>
 *
 * <p>Takes what is durable: {@link SessionCommands#flush} the source first where appends to it may be under way. No prefix
 * may end inside an open turn.
 *
 * @param source the session to begin with
 * @param session the new session
 * @param boundary seq of the last event to share, as it came from outside; empty for the last there is
 * @param beforeOpenTurn whether a prefix that would end inside an open turn ends before that turn instead
 */
public record ForkSession(SessionId source, SessionId session, Optional<Json> boundary, boolean beforeOpenTurn)
        implements SessionCommand<Forked> {

    /** A fork at the last event, under a new random id. */
    public static ForkSession of(SessionId source) {
        return new ForkSession(source, SessionId.random(), Optional.empty(), false);
    }

    /** The same at this event, which is the last that is shared. */
    public ForkSession at(long boundarySeq) {
        return at(Json.of(boundarySeq));
    }

    /** The same for a value from outside; what is no seq of the source is refused when the fork is made. */
    public ForkSession at(Json boundaryValue) {
        return new ForkSession(source, session, Optional.of(boundaryValue), beforeOpenTurn);
    }

    /** The same under this id. */
    public ForkSession as(SessionId child) {
        return new ForkSession(source, child, boundary, beforeOpenTurn);
    }

    /** The same, but before a turn that is open at the boundary. */
    public ForkSession beforeOpenTurns() {
        return new ForkSession(source, session, boundary, true);
    }
}
