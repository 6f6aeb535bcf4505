package io.surfacelog.stream;

import java.time.Duration;

/**
 * How subscriptions are served.
 *
 * @param bufferSize commits a subscriber may be behind before it reads from the store, or is disconnected, from 1
 * @param pollInterval how often it is looked for what other processes have committed, from 1 ms to 1 min
 * @param hold how long a durable subscription belongs to a process that is not heard of, from 100 ms to 1 h
 */
public record StreamSettings(int bufferSize, Duration pollInterval, Duration hold) {

    public StreamSettings {
        if (bufferSize < 1) {
            throw new IllegalArgumentException("expected a buffer of at least 1 commit, found " + bufferSize);
        }
        expect("a poll interval", pollInterval, Duration.ofMillis(1), Duration.ofMinutes(1));
        expect("a hold", hold, Duration.ofMillis(100), Duration.ofHours(1));
    }

    private static void expect(String what, Duration found, Duration least, Duration most) {
        if (found.compareTo(least) < 0 || found.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "expected " + what + " from " + least + " to " + most + ", found " + found);
        }
    }

    /** 1024 commits, looked for every 100 ms, held for 10 s. */
    public static StreamSettings defaults() {
        return new StreamSettings(1_024, Duration.ofMillis(100), Duration.ofSeconds(10));
    }
}
