package io.surfacelog.command;

import io.surfacelog.event.SessionId;

/**
 * A log was taken over as a whole.
 *
 * @param session the session it is now
 * @param events how many events it has
 */
public record Imported(SessionId session, long events) {}
