package io.surfacelog.command;

import io.surfacelog.event.SessionId;

/**
 * Take the compaction lease of a session. Refused while somebody else holds it; a lease of a process that has died on this
 * machine is taken over at once.
 *
 * @param session the session
 */
public record LeaseCompaction(SessionId session) implements SessionCommand<CompactionLease> {}
