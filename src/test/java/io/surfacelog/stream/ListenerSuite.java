package io.surfacelog.stream;

import static org.awaitility.Awaitility.await;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.Drafts;
import io.surfacelog.command.FaultyStore;
import io.surfacelog.command.StoreSuite;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;

/** A suite of listeners and what it takes to test them. */
abstract class ListenerSuite extends StoreSuite {

    FaultyStore faulty;

    @BeforeEach
    void wrapStore() {
        faulty = new FaultyStore(store());
    }

    final CommandStack with(int buffer, SessionEventListener... listeners) {
        CommandStack.Builder builder = CommandStack.reporting(faulty).listenerBuffer(buffer);
        List.of(listeners).forEach(builder::listener);
        return start(builder);
    }

    static void until(Runnable assertion) {
        await().atMost(Duration.ofSeconds(Bounded.SECONDS))
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(assertion::run);
    }

    /** Remembers what it heard. */
    static class Recorder implements SessionEventListener {

        final List<SessionEventCommitted> heard = new CopyOnWriteArrayList<>();

        @Override
        public void onEvent(SessionEventCommitted committed) {
            heard.add(committed);
        }

        List<SessionEvent> of(SessionId id) {
            return heard.stream()
                    .filter(one -> one.session().equals(id))
                    .map(SessionEventCommitted::event)
                    .toList();
        }
    }

    /** Waits at the first event until it is let go on. */
    static final class Blocked extends Recorder {

        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch release = new CountDownLatch(1);
        volatile Thread last = Thread.currentThread();

        @Override
        public void onEvent(SessionEventCommitted committed) {
            last = Thread.currentThread();
            entered.countDown();
            Bounded.await(release);
            super.onEvent(committed);
        }
    }

    final void sayMany(CommandStack stack, SessionId id, int count) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(stack.commands.appendAllAsync(id, List.of(Drafts.say("m" + i))));
        }
        all.forEach(CompletableFuture::join);
    }
}
