package io.surfacelog.command;

import io.surfacelog.event.SessionId;

/**
 * The calling thread was interrupted while its write waited for room in the queue; nothing was changed, and the thread
 * is still marked as interrupted. A write that has been let in is not disturbed by interrupts.
 */
public final class WriteInterruptedException extends CommandException {

    private static final long serialVersionUID = 1L;

    public WriteInterruptedException(SessionId session) {
        super(
                session,
                "the write to session \"" + session
                        + "\" was given up: its thread was interrupted while it waited for room in the queue");
    }
}
