package io.surfacelog.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits that end, so that a lost future fails its test instead of the build. */
public final class Bounded {

    public static final long SECONDS = 30;

    private Bounded() {}

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
