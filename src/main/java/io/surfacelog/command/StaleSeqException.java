package io.surfacelog.command;

import io.surfacelog.event.SessionId;

/** The log does not end where the caller expected; nothing was changed. Read what was added, then decide again. */
public final class StaleSeqException extends CommandException {

    private static final long serialVersionUID = 1L;

    private final long expected;
    private final long found;

    public StaleSeqException(SessionId session, long expected, long found) {
        super(
                session,
                "expected the next seq of session \"" + session + "\" to be " + expected + ", found " + found
                        + "; read the events from " + Math.min(expected, found) + " on and decide again");
        this.expected = expected;
        this.found = found;
    }

    public long expected() {
        return expected;
    }

    public long found() {
        return found;
    }
}
