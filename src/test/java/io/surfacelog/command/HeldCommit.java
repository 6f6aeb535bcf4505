package io.surfacelog.command;

import java.util.concurrent.CountDownLatch;

/** The next commit of a store, held where nothing is stored yet, so that a test can stage further writes behind it. */
final class HeldCommit implements AutoCloseable {

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    /** Holds the next commit; then this happens on its thread. */
    HeldCommit(FaultyStore store, Runnable then) {
        store.beforeCommit(writes -> {
            store.beforeCommit(later -> {});
            reached.countDown();
            Bounded.await(released);
            then.run();
        });
    }

    HeldCommit(FaultyStore store) {
        this(store, () -> {});
    }

    void awaitReached() {
        Bounded.await(reached);
    }

    /** Lets it go on. */
    @Override
    public void close() {
        released.countDown();
    }
}
