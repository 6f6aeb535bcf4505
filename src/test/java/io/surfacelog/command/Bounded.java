package io.surfacelog.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** Waits that end, so that a lost future fails its test instead of the build. */
public final class Bounded {

    public static final long SECONDS = 30;

    private Bounded() {}

    /** Waits until the condition holds, looking again and again. */
    public static void until(BooleanSupplier condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(SECONDS))
                .pollInterval(Duration.ofMillis(1))
                .until(condition::getAsBoolean);
    }

    public static void await(CountDownLatch latch) {
        try {
            if (!latch.await(SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("nobody came within " + SECONDS + " seconds");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
