package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every answer is given, whatever another does, by few threads. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AnswerThreadsTest {

    private final AtomicInteger made = new AtomicInteger();
    private final AtomicBoolean exhausted = new AtomicBoolean();
    private final ThreadFactory daemons = AnswerThreads.daemons("answers");
    private final AnswerThreads threads = new AnswerThreads(work -> {
        if (exhausted.get()) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        made.incrementAndGet();
        return daemons.newThread(work);
    });

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void twenty_thousand_answers_are_given_in_order_by_few_threads() {
        List<Integer> given = new CopyOnWriteArrayList<>();
        CountDownLatch all = new CountDownLatch(20_000);
        for (int i = 0; i < 20_000; i++) {
            int answer = i;
            threads.execute(() -> {
                if (answer % 100 == 0) {
                    given.add(answer);
                }
                all.countDown();
            });
        }
        Bounded.await(all);

        assertThat(given).hasSize(200);
        // two as a rule; where the machine is busy a pause is taken for a stall now and then
        assertThat(made.get()).isBetween(2, 20);
    }

    @Test
    void answers_that_wait_for_one_behind_them_hold_it_up_for_no_longer_than_a_stall() {
        CountDownLatch last = new CountDownLatch(1);
        CountDownLatch all = new CountDownLatch(30);
        for (int i = 0; i < 30; i++) {
            threads.execute(() -> {
                Bounded.await(last);
                all.countDown();
            });
        }
        threads.execute(last::countDown);
        Bounded.await(all);

        assertThat(made.get()).isBetween(31, 40);
    }

    @Test
    void one_that_is_stuck_costs_the_others_a_thread_once() {
        CountDownLatch release = new CountDownLatch(1);
        threads.execute(() -> Bounded.await(release));
        for (int round = 0; round < 20; round++) {
            CountDownLatch some = new CountDownLatch(200);
            for (int i = 0; i < 200; i++) {
                threads.execute(some::countDown);
            }
            Bounded.await(some);
        }
        release.countDown();

        assertThat(made.get()).isBetween(2, 20);
    }

    @Test
    void where_no_thread_can_be_made_the_calling_one_answers() {
        exhausted.set(true);
        AtomicReference<Thread> answered = new AtomicReference<>();
        threads.execute(() -> answered.set(Thread.currentThread()));
        assertThat(answered).hasValue(Thread.currentThread());

        exhausted.set(false);
        CountDownLatch later = new CountDownLatch(1);
        threads.execute(() -> {
            answered.set(Thread.currentThread());
            later.countDown();
        });
        Bounded.await(later);
        assertThat(answered.get()).isNotSameAs(Thread.currentThread());
    }

    @Test
    void an_answer_that_throws_or_leaves_an_interrupt_disturbs_no_other() {
        CountDownLatch after = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            threads.execute(() -> {
                after.countDown();
                Thread.currentThread().interrupt();
                throw new AssertionError("mine");
            });
        }
        Bounded.await(after);
    }

    @Test
    void those_handed_in_before_it_is_closed_are_given_and_later_ones_at_once() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch before = new CountDownLatch(1);
        threads.execute(() -> {
            entered.countDown();
            Bounded.await(release);
        });
        Bounded.await(entered);
        threads.execute(before::countDown);
        threads.close();
        AtomicBoolean late = new AtomicBoolean();
        threads.execute(() -> late.set(true));

        assertThat(late).isTrue();
        release.countDown();
        Bounded.await(before);
    }

    @Test
    void threads_have_the_class_loader_of_whoever_made_them_and_nothing_else_of_it() throws Exception {
        ClassLoader mine = new ClassLoader(getClass().getClassLoader()) {};
        ThreadFactory[] factory = new ThreadFactory[1];
        Thread application = new Thread(() -> factory[0] = AnswerThreads.daemons("answers"));
        application.setContextClassLoader(mine);
        application.start();
        application.join();
        InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
        user.set("somebody");
        AtomicReference<String> seen = new AtomicReference<>("unset");
        AtomicReference<ClassLoader> loader = new AtomicReference<>();
        Thread thread = factory[0].newThread(() -> {
            seen.set(user.get());
            loader.set(Thread.currentThread().getContextClassLoader());
        });
        thread.start();
        thread.join();

        assertThat(loader).hasValue(mine);
        assertThat(seen).hasNullValue();
        assertThat(thread.isDaemon()).isTrue();
    }
}
