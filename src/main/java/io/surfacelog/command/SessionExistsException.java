package io.surfacelog.command;

import io.surfacelog.event.SessionId;

/** The id of a session to be created is taken; nothing was changed. */
public final class SessionExistsException extends CommandException {

    private static final long serialVersionUID = 1L;

    public SessionExistsException(SessionId session) {
        super(session, "there is a session \"" + session + "\" already; choose another id");
    }
}
