package io.surfacelog.agent;

import io.surfacelog.model.ModelException;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether a failed attempt is made again, and when.
 *
 * @param maxRetries how often a step is tried again, from 0
 * @param firstDelay how long to wait before the first retry; doubled for each further one
 * @param longestDelay how long to wait at most; a provider that asks for more is not asked again
 */
public record RetryPolicy(int maxRetries, Duration firstDelay, Duration longestDelay) {

    public RetryPolicy {
        if (maxRetries < 0) {
            throw new IllegalArgumentException("expected 0 retries or more, found " + maxRetries);
        }
        if (firstDelay.isNegative() || longestDelay.compareTo(firstDelay) < 0) {
            throw new IllegalArgumentException("expected a first delay from 0 and a longest that is no shorter, found "
                    + firstDelay + " and " + longestDelay);
        }
    }

    /** Three retries after 1, 2 and 4 seconds, or as long as the provider asks to wait, up to a minute. */
    public static RetryPolicy defaults() {
        return new RetryPolicy(3, Duration.ofSeconds(1), Duration.ofMinutes(1));
    }

    public static RetryPolicy never() {
        return new RetryPolicy(0, Duration.ZERO, Duration.ZERO);
    }

    /**
     * How long to wait before the next attempt; empty if there is to be none.
     *
     * @param failed how many attempts of the step have failed, from 1
     */
    Optional<Duration> delay(ModelException failure, int failed) {
        if (failure.kind() != ModelException.Kind.TRANSIENT || failed > maxRetries) {
            return Optional.empty();
        }
        Duration asked = failure.retryAfter().orElse(Duration.ZERO);
        if (asked.compareTo(longestDelay) > 0) {
            return Optional.empty();
        }
        Duration own = firstDelay;
        for (int retry = 1; retry < failed && own.compareTo(longestDelay) < 0; retry++) {
            own = own.compareTo(longestDelay.dividedBy(2)) > 0 ? longestDelay : own.multipliedBy(2);
        }
        return Optional.of(own.compareTo(asked) > 0 ? own : asked);
    }
}
