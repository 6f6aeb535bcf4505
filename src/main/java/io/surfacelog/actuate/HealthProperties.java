package io.surfacelog.actuate;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * When Surfacelog counts as healthy.
 *
 * @param timeout how long a look at the store may take before it counts as down, from 1ms to 1m; no health check takes longer
 * @param stuckAfter how long one commit may take before the writer counts as stuck, and how long a commit that failed is held
 *     against the store unless another succeeds, from 1ms to 1h
 * @param minFreeSpace how much space the file system has to have left, from 0B
 */
@ConfigurationProperties("surfacelog.health")
public record HealthProperties(
        @DefaultValue("2s") Duration timeout,
        @DefaultValue("30s") Duration stuckAfter,
        @DefaultValue("128MB") DataSize minFreeSpace) {

    public HealthProperties {
        check("timeout", timeout, Duration.ofMinutes(1));
        check("stuck-after", stuckAfter, Duration.ofHours(1));
        if (minFreeSpace.isNegative()) {
            throw new IllegalArgumentException(
                    "expected surfacelog.health.min-free-space from 0B, found " + minFreeSpace.toBytes() + "B");
        }
    }

    private static void check(String name, Duration found, Duration most) {
        if (found.compareTo(Duration.ofMillis(1)) < 0 || found.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "expected surfacelog.health." + name + " from PT0.001S to " + most + ", found " + found);
        }
    }
}
