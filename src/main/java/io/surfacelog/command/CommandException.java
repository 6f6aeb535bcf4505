package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfacelogException;

/**
 * A command could not be carried out for a reason other than admission; nothing was changed, but for an {@link
 * OutcomeUnknownException}, which cannot tell.
 */
public abstract class CommandException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    private final String session;

    protected CommandException(SessionId session, String message) {
        super(message);
        this.session = session.value();
    }

    public SessionId session() {
        return SessionId.of(session);
    }
}
