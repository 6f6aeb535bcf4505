package io.surfacelog.command;

import java.time.Duration;

/**
 * How leases are held.
 *
 * @param duration how long a lease lives unless it is renewed, which its holder does after each third of that; from 1 s to 1
 *     h. So long a session is kept for a driver on another machine that is gone without a word.
 */
public record LeaseSettings(Duration duration) {

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    public LeaseSettings {
        if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("expected a lease from 1 s to 1 h, found " + duration);
        }
    }

    /** 30 s. */
    public static LeaseSettings defaults() {
        return new LeaseSettings(Duration.ofSeconds(30));
    }
}
