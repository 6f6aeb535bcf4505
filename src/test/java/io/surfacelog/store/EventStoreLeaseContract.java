package io.surfacelog.store;

import static io.surfacelog.store.SampleLogs.users;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.WriteOutcome.Committed;
import io.surfacelog.store.WriteOutcome.LeaseLost;
import io.surfacelog.store.WriteOutcome.NoSuchSession;
import io.surfacelog.store.WriteOutcome.TailMoved;
import io.surfacelog.testing.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What every backend promises about leases; see {@link EventStoreContract}. */
public abstract class EventStoreLeaseContract extends StoreFixture {

    private static final Duration DURATION = Duration.ofSeconds(30);
    private static final LeaseHolder ME = new LeaseHolder("me", "here", "1");
    private static final LeaseHolder YOU = new LeaseHolder("you", null, null);

    private long now = 1_700_000_000_000L;

    @BeforeEach
    void createSessions() {
        create("a", users(0, 2));
        create("b", users(0, 2));
    }

    private LeaseRequest request(@Nullable LeaseHolder holder) {
        return LeaseRequest.by(holder, A, LeasePurpose.DRIVER, now, DURATION);
    }

    private StoredLease taken(LeaseRequest request) {
        LeaseOutcome outcome = store.takeLease(request);
        assertThat(outcome).isInstanceOf(LeaseOutcome.Taken.class);
        return ((LeaseOutcome.Taken) outcome).lease();
    }

    private LeaseOutcome held(StoredLease lease) {
        return new LeaseOutcome.Held(lease);
    }

    private boolean renew(long token) {
        return store.renewLease(A, LeasePurpose.DRIVER, token, now, DURATION);
    }

    private boolean release(long token) {
        return store.releaseLease(A, LeasePurpose.DRIVER, token, now);
    }

    private WriteOutcome appendUnder(long token, long seq) {
        return commit(SessionWrite.append(A, seq, users(seq, 1), null).underLease(token));
    }

    @Nested
    class Taking {

        @Test
        void gives_the_lease_to_the_first_and_tells_the_second_who_holds_it_and_until_when() {
            StoredLease mine = taken(request(ME));

            assertThat(mine).isEqualTo(new StoredLease(A, LeasePurpose.DRIVER, 1, ME, now, now + 30_000));
            assertThat(store.lease(A, LeasePurpose.DRIVER)).contains(mine);
            now += 29_999;
            assertThat(store.takeLease(request(YOU))).isEqualTo(held(mine));
            assertThat(store.lease(A, LeasePurpose.DRIVER)).contains(mine);
        }

        @Test
        void of_another_session_or_for_another_purpose_is_another_lease() {
            taken(request(ME));

            assertThat(store.lease(A, LeasePurpose.COMPACTION)).isEmpty();
            assertThat(store.lease(B, LeasePurpose.DRIVER)).isEmpty();
            assertThat(taken(LeaseRequest.by(YOU, A, LeasePurpose.COMPACTION, now, DURATION))
                            .token())
                    .isEqualTo(1);
            assertThat(taken(LeaseRequest.by(YOU, B, LeasePurpose.DRIVER, now, DURATION))
                            .token())
                    .isEqualTo(1);
            assertThat(store.lease(A, LeasePurpose.DRIVER).orElseThrow().holder())
                    .isEqualTo(ME);
        }

        @Test
        void gives_the_same_holder_no_second_one() {
            StoredLease mine = taken(request(ME));
            assertThat(store.takeLease(request(ME))).isEqualTo(held(mine));
        }

        @Test
        void succeeds_when_it_was_released_has_expired_is_forced_or_may_be_taken_over() {
            release(taken(request(ME)).token());
            assertThat(taken(request(YOU)).token()).isEqualTo(2);

            now += 30_000;
            assertThat(taken(request(ME)).token()).isEqualTo(3);

            assertThat(taken(request(YOU).forced()).token()).isEqualTo(4);

            LeaseRequest mine = request(ME);
            assertThat(store.takeLease(mine.alsoIf(lease -> lease.token() != 4)))
                    .isInstanceOf(LeaseOutcome.Held.class);
            StoredLease last = taken(mine.alsoIf(lease -> YOU.equals(lease.holder())));
            assertThat(last.token()).isEqualTo(5);
            assertThat(last.holder()).isEqualTo(ME);
        }

        @Test
        void for_nobody_leaves_it_released_under_a_new_token() {
            long mine = taken(request(ME)).token();
            assertThat(store.takeLease(request(null))).isInstanceOf(LeaseOutcome.Held.class);

            StoredLease fenced = taken(request(null).forced());

            assertThat(fenced).isEqualTo(new StoredLease(A, LeasePurpose.DRIVER, 2, null, now, now));
            assertThat(renew(mine)).isFalse();
            assertThat(taken(request(YOU)).token()).isEqualTo(3);
        }

        @Test
        void of_an_unknown_session_or_where_the_tail_has_moved_changes_nothing() {
            assertThat(store.takeLease(LeaseRequest.by(ME, SessionId.of("nobody"), LeasePurpose.DRIVER, now, DURATION)))
                    .isEqualTo(new LeaseOutcome.NotWritten(new NoSuchSession()));
            assertThat(store.lease(SessionId.of("nobody"), LeasePurpose.DRIVER)).isEmpty();
            assertThat(store.takeLease(request(ME).writing(1, users(1, 2))))
                    .isEqualTo(new LeaseOutcome.NotWritten(new TailMoved(2)));
            assertThat(store.takeLease(request(ME).writing(3, List.of())))
                    .isEqualTo(new LeaseOutcome.NotWritten(new TailMoved(2)));
            assertThat(store.lease(A, LeasePurpose.DRIVER)).isEmpty();
            assertThat(store.lastPosition()).isEqualTo(2);
        }

        @Test
        void stores_its_events_in_one_commit_with_it_or_not_at_all() {
            assertThat(store.takeLease(request(ME).writing(2, users(2, 3))))
                    .isEqualTo(new LeaseOutcome.Taken(
                            new StoredLease(A, LeasePurpose.DRIVER, 1, ME, now, now + 30_000), OptionalLong.of(3)));
            assertThat(store.events(A, EventRange.all())).isEqualTo(users(0, 5));
            assertThat(store.commits(2, 10)).containsExactly(new StoredCommit(3, A, 2, 5));

            assertThat(store.takeLease(request(YOU).writing(5, users(5, 1)))).isInstanceOf(LeaseOutcome.Held.class);
            assertThat(store.events(A, EventRange.all())).isEqualTo(users(0, 5));

            assertThat(append(A, null, users(5, 2))).isEqualTo(new Committed(4));
            assertThat(append(B, null, users(2, 1))).isEqualTo(new Committed(5));
            assertThat(taken(request(YOU).forced().writing(7, users(7, 1))).token())
                    .isEqualTo(2);
            assertThat(append(A, null, users(8, 1))).isEqualTo(new Committed(7));
        }

        @Test
        void keeps_the_names_of_its_holder_whatever_they_are_made_of() {
            for (String odd : SampleLogs.ODD_TEXTS) {
                LeaseHolder holder = new LeaseHolder(odd, odd, odd);
                taken(request(holder).forced());
                assertThat(store.lease(A, LeasePurpose.DRIVER).orElseThrow().holder())
                        .isEqualTo(holder);
            }
        }

        @Test
        void by_many_threads_gives_each_token_once_and_one_at_a_time() throws Exception {
            ExecutorService threads = Executors.newFixedThreadPool(8);
            try {
                for (long token = 1; token <= 10; token++) {
                    List<Callable<LeaseOutcome>> all = new ArrayList<>();
                    for (int i = 0; i < 16; i++) {
                        LeaseHolder holder = new LeaseHolder(token + "-" + i, null, null);
                        all.add(() -> store.takeLease(request(holder)));
                    }
                    List<Long> given = new ArrayList<>();
                    for (Future<LeaseOutcome> one : threads.invokeAll(all)) {
                        if (one.get() instanceof LeaseOutcome.Taken taken) {
                            given.add(taken.lease().token());
                        }
                    }
                    assertThat(given).containsExactly(token);
                    assertThat(release(token)).isTrue();
                }
            } finally {
                threads.shutdown();
            }
        }
    }

    @Nested
    class Holding {

        @Test
        void goes_on_as_long_as_it_is_renewed_by_its_token() {
            long token = taken(request(ME)).token();
            for (int i = 0; i < 5; i++) {
                now += 20_000;
                assertThat(renew(token)).isTrue();
                assertThat(renew(token + 1)).isFalse();
                assertThat(store.lease(A, LeasePurpose.DRIVER))
                        .contains(new StoredLease(A, LeasePurpose.DRIVER, token, ME, now, now + 30_000));
                assertThat(store.takeLease(request(YOU))).isInstanceOf(LeaseOutcome.Held.class);
            }
        }

        @Test
        void may_be_renewed_when_it_has_expired_but_not_when_it_was_taken_over_or_released() {
            long mine = taken(request(ME)).token();
            now += 100_000;
            assertThat(renew(mine)).isTrue();

            now += 100_000;
            long yours = taken(request(YOU)).token();
            assertThat(renew(mine)).isFalse();
            assertThat(release(mine)).isFalse();
            assertThat(release(yours)).isTrue();
            assertThat(release(yours)).isFalse();
            assertThat(renew(yours)).isFalse();
            assertThat(store.lease(A, LeasePurpose.DRIVER))
                    .contains(new StoredLease(A, LeasePurpose.DRIVER, yours, null, now, now));
        }

        @Test
        void is_not_made_longer_by_a_clock_that_steps_back() {
            StoredLease mine = taken(request(ME));
            long start = now;

            now = start - StoredLease.CLOCK_TOLERANCE.toMillis();
            assertThat(store.takeLease(request(YOU))).isEqualTo(held(mine));

            // nobody can tell how long ago it was renewed
            now = start - StoredLease.CLOCK_TOLERANCE.toMillis() - 1;
            assertThat(mine.isLive(now)).isFalse();
            assertThat(taken(request(YOU)).token()).isEqualTo(mine.token() + 1);
        }

        @Test
        void is_put_right_after_such_a_step_by_its_next_renewal() {
            StoredLease mine = taken(request(ME));
            now -= 3_600_000;
            assertThat(renew(mine.token())).isTrue();

            assertThat(store.takeLease(request(YOU))).isInstanceOf(LeaseOutcome.Held.class);
            now += 30_000;
            assertThat(taken(request(YOU)).token()).isEqualTo(2);
        }
    }

    @Nested
    class AWriteUnderALease {

        @Test
        void is_committed_while_its_token_is_the_last_and_refused_from_then_on() {
            assertThat(appendUnder(1, 2)).isEqualTo(new LeaseLost(null));
            long mine = taken(request(ME)).token();
            assertThat(appendUnder(mine, 2)).isEqualTo(new Committed(3));
            assertThat(appendUnder(mine + 1, 3)).isInstanceOf(LeaseLost.class);

            now += 100_000;
            assertThat(appendUnder(mine, 3)).as("expired, but nobody else's").isEqualTo(new Committed(4));
            StoredLease yours = taken(request(YOU));
            assertThat(appendUnder(mine, 4)).isEqualTo(new LeaseLost(yours));
            assertThat(appendUnder(yours.token(), 4)).isEqualTo(new Committed(5));
            release(yours.token());
            assertThat(appendUnder(yours.token(), 5)).isInstanceOf(LeaseLost.class);
            assertThat(store.find(A).orElseThrow().nextSeq()).isEqualTo(5);
        }

        @Test
        void hears_of_the_lost_lease_before_it_hears_of_the_moved_tail() {
            long mine = taken(request(ME)).token();
            assertThat(appendUnder(mine, 1)).isEqualTo(new TailMoved(2));
            taken(request(YOU).forced());
            assertThat(appendUnder(mine, 1)).isInstanceOf(LeaseLost.class);
        }

        @Test
        void does_not_hinder_the_others_of_its_commit_nor_those_without_a_lease() {
            long mine = taken(request(ME)).token();
            taken(request(YOU).forced());

            assertThat(store.commit(List.of(
                            SessionWrite.append(A, 2, users(2, 1), null).underLease(mine),
                            SessionWrite.append(A, 2, users(2, 1), null),
                            SessionWrite.append(B, 2, users(2, 1), null))))
                    .satisfiesExactly(
                            lost -> assertThat(lost).isInstanceOf(LeaseLost.class),
                            plain -> assertThat(plain).isEqualTo(new Committed(3)),
                            other -> assertThat(other).isEqualTo(new Committed(4)));
        }
    }

    @Test
    void any_course_of_events_gives_what_the_pure_decision_gives() {
        Seeds.forEach(20, seed -> {
            Random random = new Random(seed);
            StoredLease expected = store.lease(A, LeasePurpose.DRIVER).orElse(null);
            for (int i = 0; i < 40; i++) {
                now += random.nextInt(4) == 0 ? -random.nextInt(50_000) : random.nextInt(15_000);
                long token = expected == null ? 1 : expected.token() - random.nextInt(2);
                boolean mine = expected != null && expected.holder() != null && expected.token() == token;
                switch (random.nextInt(4)) {
                    case 0 -> {
                        assertThat(renew(token)).isEqualTo(mine);
                        expected = mine && expected != null ? expected.renewed(now, DURATION) : expected;
                    }
                    case 1 -> {
                        assertThat(release(token)).isEqualTo(mine);
                        expected = mine && expected != null ? expected.released(now) : expected;
                    }
                    default -> {
                        LeaseRequest request = request(random.nextBoolean() ? ME : random.nextBoolean() ? YOU : null);
                        request = random.nextInt(4) == 0 ? request.forced() : request;
                        StoredLease decided = request.decide(expected).orElse(null);
                        assertThat(store.takeLease(request))
                                .isEqualTo(
                                        decided == null && expected != null
                                                ? held(expected)
                                                : new LeaseOutcome.Taken(decided, OptionalLong.empty()));
                        expected = decided == null ? expected : decided;
                    }
                }
                assertThat(store.lease(A, LeasePurpose.DRIVER).orElse(null)).isEqualTo(expected);
            }
        });
    }
}
