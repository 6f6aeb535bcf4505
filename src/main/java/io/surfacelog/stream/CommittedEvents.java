package io.surfacelog.stream;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import java.util.List;

/**
 * The events of one session in one commit.
 *
 * @param session the session
 * @param position place of the commit in the global order
 * @param events the events, in seq order; none for the creation of an empty session
 */
public record CommittedEvents(SessionId session, long position, List<SessionEvent> events) {}
