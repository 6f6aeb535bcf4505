package io.surfacelog.command;

import io.surfacelog.event.SessionId;

/** A fork was refused; nothing was changed. {@link #code()} says why. */
public final class ForkException extends CommandException {

    private static final long serialVersionUID = 1L;

    /** Why a fork is refused, in the order in which it is looked at. */
    public enum Code {
        /** The id of the new session is taken. */
        SESSION_ALREADY_EXISTS,
        /** There is no session to fork from. */
        SESSION_NOT_FOUND,
        /** The boundary is no seq of the source. */
        INVALID_BOUNDARY,
        /** The prefix would end inside an open turn. */
        OPEN_TURN
    }

    private final Code code;

    ForkException(SessionId session, Code code, String message) {
        super(session, message);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
