package io.surfacelog.command;

import io.surfacelog.event.SessionId;

/**
 * A write to one session, as interceptors see it.
 *
 * @param <R> what it answers
 */
public sealed interface SessionCommand<R>
        permits CreateSession,
                ForkSession,
                ImportSession,
                AppendEvents,
                RecoverSession,
                DriveSession,
                LeaseCompaction,
                DeleteSession,
                EraseSession {

    /** The session it writes to. */
    SessionId session();
}
