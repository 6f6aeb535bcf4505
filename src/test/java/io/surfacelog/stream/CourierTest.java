package io.surfacelog.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.Bounded;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.memory.MemoryEventStore;
import io.surfacelog.testing.Aside;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The thread that tells of commits, where it is kept from running or ended at a bad moment. */
class CourierTest {

    private static final CommittedEvents FIRST = new CommittedEvents(SessionId.of("s"), 1, List.of());
    private static final CommittedEvents SECOND = new CommittedEvents(SessionId.of("s"), 2, List.of());

    /** Stands still, and once, at its so many-th reading after the second commit, finds that long time has passed. */
    private static final class Stalling implements LongSupplier, Courier.Recipient {

        final Semaphore woken = new Semaphore(0);
        private final AtomicInteger readings = new AtomicInteger(Integer.MIN_VALUE);
        private final int stalled;

        Stalling(int stalled) {
            this.stalled = stalled;
        }

        @Override
        public long getAsLong() {
            return readings.incrementAndGet() < stalled ? 0 : TimeUnit.SECONDS.toNanos(1);
        }

        @Override
        public boolean commit(CommittedEvents commit) {
            if (commit.equals(SECOND)) {
                readings.set(0);
            }
            return false;
        }

        @Override
        public void stored(long position) {}

        @Override
        public boolean wake() {
            woken.release();
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void that_is_kept_from_running_at_any_moment_wakes_those_it_has_told(int stalled) throws InterruptedException {
        Stalling recipient = new Stalling(stalled);
        Courier courier = new Courier(recipient, recipient);
        courier.start();
        courier.take(FIRST);
        assertThat(recipient.woken.tryAcquire(Bounded.SECONDS, TimeUnit.SECONDS))
                .isTrue();

        courier.take(SECOND);

        assertThat(recipient.woken.tryAcquire(Bounded.SECONDS, TimeUnit.SECONDS))
                .isTrue();
        courier.finish();
    }

    @Test
    void whom_it_tells_may_leave_while_the_dispatcher_closes() {
        CountDownLatch telling = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Courier.Recipient recipient = new Courier.Recipient() {

            @Override
            public boolean commit(CommittedEvents commit) {
                telling.countDown();
                Bounded.await(left); // as one does that needs a lock which whoever leaves holds
                return false;
            }

            @Override
            public void stored(long position) {}
        };
        EventDispatcher dispatcher = new EventDispatcher(MemoryEventStore.create(), 1);
        dispatcher.join(recipient);
        dispatcher.dispatch(FIRST);
        Bounded.await(telling);
        Thread closing = new Thread(() -> {
            dispatcher.close();
            closed.countDown();
        });
        closing.setDaemon(true);
        closing.start();
        Bounded.until(() -> closing.getState() == Thread.State.WAITING);

        CompletableFuture<Void> unused = Aside.run(() -> {
            dispatcher.leave(recipient);
            left.countDown();
        });

        Bounded.await(left);
        Bounded.await(closed);
    }
}
