package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.testing.Aside;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever is queued is led by somebody, one at a time, and everybody is answered. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommitLeadTest {

    private static final int THREADS = 24;
    private static final int ROUNDS = 2_000;

    private final ConcurrentLinkedQueue<CompletableFuture<Integer>> queued = new ConcurrentLinkedQueue<>();
    private final CommitLead lead = new CommitLead(() -> !queued.isEmpty());
    private final AtomicInteger leading = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    /** Answers all that is queued, with the lead. */
    private void work() {
        most.accumulateAndGet(leading.incrementAndGet(), Math::max);
        List<CompletableFuture<Integer>> taken = new ArrayList<>();
        for (CompletableFuture<Integer> one = queued.poll(); one != null; one = queued.poll()) {
            taken.add(one);
        }
        leading.decrementAndGet();
        taken.forEach(one -> one.complete(1));
    }

    private void leadOnce() {
        try {
            work();
        } finally {
            lead.pass();
        }
    }

    private int answered() {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        queued.add(answer);
        lead.leadUntil(answer, this::leadOnce);
        return answer.join();
    }

    @Test
    void everybody_is_answered_beside_those_who_must_lead_and_those_who_give_up_waiting_for_it() {
        SplittableRandom seeds = new SplittableRandom(3);
        AtomicInteger answers = new AtomicInteger();
        AtomicInteger givenUp = new AtomicInteger();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            SplittableRandom random = seeds.split();
            int kind = i % 8;
            all.add(Aside.run(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    if (kind == 0) {
                        lead.take();
                        leadOnce();
                    } else if (kind == 1) {
                        if (random.nextBoolean()) {
                            Thread.currentThread().interrupt();
                        }
                        try {
                            lead.takeInterruptibly();
                            leadOnce();
                        } catch (InterruptedException e) {
                            givenUp.incrementAndGet();
                        }
                    } else {
                        answers.addAndGet(answered());
                    }
                }
            }));
        }
        all.forEach(CompletableFuture::join);
        assertThat(answers).hasValue(THREADS / 8 * 6 * ROUNDS);
        assertThat(givenUp.get()).isPositive();
        assertThat(most).hasValue(1);
    }

    @Test
    void who_is_answered_before_it_leads_leaves_the_lead_to_another() {
        CompletableFuture<Integer> first = new CompletableFuture<>();
        CompletableFuture<Integer> second = new CompletableFuture<>();
        lead.take();
        CountDownLatch waiting = new CountDownLatch(2);
        CompletableFuture<Void> one = Aside.run(() -> {
            waiting.countDown();
            lead.leadUntil(first, this::leadOnce);
        });
        CompletableFuture<Void> other = Aside.run(() -> {
            waiting.countDown();
            lead.leadUntil(second, this::leadOnce);
        });
        Bounded.await(waiting);
        queued.add(second);
        first.complete(1);
        lead.pass();
        one.join();
        other.join();
        assertThat(second).isCompletedWithValue(1);
    }

    @Test
    void an_interrupt_is_kept_for_after_the_answer() {
        Thread.currentThread().interrupt();
        int answer = answered();
        boolean kept = Thread.interrupted();
        assertThat(answer).isEqualTo(1);
        assertThat(kept).isTrue();

        lead.take();
        CompletableFuture<Boolean> beside = Aside.supply(() -> {
            Thread.currentThread().interrupt();
            answered();
            return Thread.interrupted();
        });
        Bounded.until(() -> !queued.isEmpty());
        lead.pass();
        assertThat(beside.join()).isTrue();
    }
}
