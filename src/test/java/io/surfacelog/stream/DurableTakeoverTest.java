package io.surfacelog.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.store.StoredSubscription;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A name goes from one process to another without an event that is left out, and never serves two at a time. */
class DurableTakeoverTest extends ListenerSuite {

    private static final String NAME = "index";

    private CommandStack here;
    private CommandStack there;
    private SessionId id;
    private final Recorder first = new Recorder();
    private final Recorder second = new Recorder();

    @BeforeEach
    void startBoth() {
        here = start(
                CommandStack.on(faulty).stream(new StreamSettings(16, Duration.ofMillis(5), Duration.ofSeconds(1))));
        there = startAnotherProcess();
        id = here.commands.create(header("s"));
    }

    private static DurableRequest all() {
        return DurableRequest.of(NAME, StreamRequest.all().fromBeginning()).every(3);
    }

    private StoredSubscription kept() {
        return store().subscription(NAME).orElseThrow();
    }

    @Test
    void a_name_that_is_forgotten_and_taken_by_another_process_is_lost_to_the_first() {
        sayMany(here, id, 5);
        StreamSubscription served = here.stream.subscribe(all(), first);
        until(() -> assertThat(first.heard).hasSize(5));
        there.stream.subscribe(all(), second);
        assertThat(there.stream.forget(NAME)).isTrue();
        until(() -> assertThat(second.heard).hasSize(5));

        until(() -> assertThat(served.ended()).isCompletedExceptionally());
        assertThatThrownBy(() -> served.ended().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(SubscriptionLostException.class);
        int heard = first.heard.size();
        sayMany(here, id, 5);
        until(() -> assertThat(second.of(id)).isEqualTo(stored(id)));
        assertThat(first.heard).hasSize(heard);
    }

    @Test
    void an_event_whose_position_could_not_be_kept_beforehand_is_not_handled_and_comes_to_the_next() {
        CountDownLatch locked = new CountDownLatch(1);
        StreamSubscription served = here.stream.subscribe(all().every(1).beforeHandler(), first);
        sayMany(here, id, 3);
        until(() -> assertThat(first.heard).hasSize(3));
        faulty.beforeMove(moved -> {
            if (moved.heldUntil() > moved.renewedAt() && moved.seq() > 2) {
                locked.countDown();
                throw new StoreUnavailableException(Reason.LOCKED, "somebody else writes");
            }
        });
        sayMany(here, id, 3);
        Bounded.await(locked);
        served.close();
        assertThat(served.ended()).isCompleted();
        faulty.heal();
        there.stream.subscribe(all().beforeHandler(), second);
        until(() -> assertThat(second.heard).hasSize(3));

        assertThat(served.position()).isEqualTo(first.heard.get(2).streamPosition());
        first.heard.addAll(second.heard);
        assertThat(first.of(id)).isEqualTo(stored(id));
    }

    @Test
    void a_name_that_is_there_goes_on_where_it_is_also_if_it_is_asked_for_from_a_later_seq() {
        sayMany(here, id, 4);
        StreamRequest one = StreamRequest.of(id);
        StreamSubscription served = here.stream.subscribe(DurableRequest.of(NAME, one.fromBeginning()), first);
        until(() -> assertThat(first.heard).hasSize(4));
        served.close();
        sayMany(here, id, 6);
        there.stream.subscribe(DurableRequest.of(NAME, one.fromSeq(8)), second);

        until(() -> assertThat(second.of(id)).extracting(SessionEvent::seq).endsWith(storedNextSeq(id) - 1));
        assertThat(second.of(id)).isEqualTo(stored(id).subList(4, 10));
    }

    @Test
    void who_stands_by_is_not_slow_however_much_passes_meanwhile() {
        DurableRequest live = DurableRequest.of(
                NAME, StreamRequest.all().whenSlow(WhenSlow.DISCONNECT).buffer(2));
        StreamSubscription served = here.stream.subscribe(DurableRequest.of(NAME, StreamRequest.all()), first);
        sayOneByOne(1);
        until(() -> assertThat(first.heard).hasSize(1));
        long token = kept().token();
        StreamSubscription standby = there.stream.subscribe(live, second);
        for (int i = 2; i <= 9; i++) {
            sayOneByOne(1);
            int heard = i;
            until(() -> assertThat(first.heard).hasSize(heard));
        }
        served.close();
        until(() -> assertThat(kept().token()).isNotEqualTo(token));
        sayOneByOne(1);

        until(() -> assertThat(second.heard).hasSize(1));
        assertThat(standby.ended()).isNotDone();
    }

    private void sayOneByOne(int events) {
        for (int i = 0; i < events; i++) {
            sayMany(there, id, 1);
        }
    }

    @Test
    void who_closes_lets_go_also_when_a_renewal_waits_behind_that() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        StreamSubscription served = here.stream.subscribe(all(), first);
        until(() -> assertThat(store().subscription(NAME)).isPresent());
        Bounded.until(() -> renewing(before).isPresent());
        Thread renewing = renewing(before).orElseThrow();
        faulty.beforeMove(moved -> {
            if (moved.seq() == 2 && !Thread.currentThread().equals(renewing)) {
                faulty.heal();
                entered.countDown();
                Bounded.await(closing);
                Bounded.until(() -> renewing.getState() == Thread.State.BLOCKED);
            }
        });
        sayMany(here, id, 3);
        Bounded.await(entered);
        Thread closer = new Thread(
                () -> {
                    closing.countDown();
                    served.close();
                },
                "closer");
        closer.start();
        Bounded.until(() -> !closer.isAlive());
        Bounded.until(() -> renewing.getState() == Thread.State.TIMED_WAITING);

        assertThat(kept().seq()).isEqualTo(2);
        assertThat(kept().heldUntil()).isEqualTo(kept().renewedAt());
    }

    @Test
    void who_closes_is_told_of_the_end_also_when_the_name_cannot_be_let_go() {
        StreamSubscription served = here.stream.subscribe(all(), first);
        sayMany(here, id, 1);
        until(() -> assertThat(first.heard).hasSize(1));
        faulty.beforeMove(moved -> {
            throw new IllegalStateException("on purpose");
        });
        served.close();

        assertThat(served.ended()).isCompleted();
    }

    private static Optional<Thread> renewing(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("surfacelog-hold") && !before.contains(thread))
                .findFirst();
    }
}
