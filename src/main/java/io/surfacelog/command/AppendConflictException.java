package io.surfacelog.command;

import io.surfacelog.event.SessionId;

/**
 * The append could not be placed: what it was planned on did not become durable, or other writers were faster. Nothing
 * was changed; it may be tried again.
 */
public final class AppendConflictException extends CommandException {

    private static final long serialVersionUID = 1L;

    public AppendConflictException(SessionId session, String reason) {
        super(session, "the append to session \"" + session + "\" was not carried out: " + reason);
    }

    AppendConflictException(SessionId session, String reason, Throwable cause) {
        this(session, reason);
        initCause(cause);
    }
}
