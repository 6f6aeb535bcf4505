package io.surfacelog.command;

import io.surfacelog.event.SessionId;

/** A handle names no event that could be cited or replaced here, or is to name two; nothing was changed. */
public final class EventHandleException extends CommandException {

    private static final long serialVersionUID = 1L;

    private final int index;

    private EventHandleException(SessionId session, int index, String what) {
        super(session, "event " + index + " of the batch for session \"" + session + "\" " + what);
        this.index = index;
    }

    static EventHandleException namesNothing(SessionId session, int index) {
        return new EventHandleException(
                session,
                index,
                "needs a handle that names no earlier event of the session: the append it is named in was not made"
                        + " before, went to another session, or was not carried out");
    }

    static EventHandleException namesTwo(SessionId session, int index) {
        return new EventHandleException(
                session, index, "is named by a handle that names another event; create a handle for each event");
    }

    /** Which event of the batch was refused, from 0. */
    public int index() {
        return index;
    }
}
