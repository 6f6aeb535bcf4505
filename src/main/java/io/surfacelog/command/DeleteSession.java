package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.SessionRemoval;

/**
 * Remove a session.
 *
 * @param session the session
 */
public record DeleteSession(SessionId session) implements SessionCommand<SessionRemoval> {}
