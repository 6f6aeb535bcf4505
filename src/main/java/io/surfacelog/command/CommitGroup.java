package io.surfacelog.command;

import io.surfacelog.event.SessionEvent;
import java.time.Duration;
import java.util.List;

/**
 * What one transaction has committed of appends and creations.
 *
 * @param writes how many there were, from 1
 * @param events their events, those of one session in seq order
 * @param waits how long each of the writes was queued before the transaction began
 * @param took how long the transaction took, until it was durable
 */
public record CommitGroup(int writes, List<SessionEvent> events, List<Duration> waits, Duration took) {

    public CommitGroup {
        events = List.copyOf(events);
        waits = List.copyOf(waits);
    }
}
