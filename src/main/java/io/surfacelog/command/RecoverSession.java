package io.surfacelog.command;

import io.surfacelog.event.SessionId;

/**
 * Close what a crash left open.
 *
 * @param session the session
 */
public record RecoverSession(SessionId session) implements SessionCommand<Appended> {}
