package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.LeaseHolder;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.LeaseRequest;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoredLease;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.testing.LogBuilder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** One driver at a time runs a session's turns; whoever has lost its lease stores nothing more. */
class DriveTest extends StoreSuite {

    /** A clock that stands still until it is set, in all processes at once. */
    private static final class SetClock extends Clock {

        private final AtomicLong now = new AtomicLong(1_700_000_000_000L);

        void pass(Duration time) {
            now.addAndGet(time.toMillis());
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(now.get());
        }
    }

    private final SetClock clock = new SetClock();
    private FaultyStore faulty;
    private CommandStack here;
    private CommandStack there;
    private SessionId id;

    @BeforeEach
    void startBoth() {
        faulty = new FaultyStore(store());
        here = start(CommandStack.on(faulty).clock(clock));
        there = start(CommandStack.on(storeOfAnotherProcess()).clock(clock));
        id = here.commands.create(header("s"));
    }

    private StoredLease lease() {
        return store().lease(id, LeasePurpose.DRIVER).orElseThrow();
    }

    private List<String> types() {
        return stored(id).stream().map(SessionEvent::type).toList();
    }

    private void assertLost(DriverLease driver) {
        long tail = storedNextSeq(id);
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> driver.append(TurnStart.of(9)))
                .satisfies(e -> assertThat(e.token()).isEqualTo(driver.token()))
                .withMessageContaining("drive the session again");
        assertThat(driver.isHeld()).isFalse();
        assertThat(storedNextSeq(id)).isEqualTo(tail);
    }

    @Nested
    class ADriver {

        @Test
        void keeps_every_other_one_out_until_it_is_closed() {
            try (DriverLease driver = here.commands.drive(id)) {
                assertThat(driver.append(TurnStart.of(1)).seq()).isZero();
                assertThat(driver.isHeld()).isTrue();
                assertThatExceptionOfType(LeaseHeldException.class)
                        .isThrownBy(() -> there.commands.drive(id))
                        .satisfies(e -> assertThat(e.token()).isEqualTo(driver.token()))
                        .satisfies(e -> assertThat(e.expiresAt())
                                .isEqualTo(clock.instant().plusSeconds(30)))
                        .withMessageContaining(
                                "process " + ProcessHandle.current().pid());
                assertThatThrownBy(() -> here.commands.drive(id)).isInstanceOf(LeaseHeldException.class);
                assertThatThrownBy(() -> there.commands.recover(id)).isInstanceOf(LeaseHeldException.class);
                assertThat(types()).containsExactly(EventType.TURN_START);
            }

            try (DriverLease driver = there.commands.drive(id)) {
                assertThat(driver.token()).isEqualTo(2);
                assertThat(driver.recovered().events())
                        .extracting(SessionEvent::type)
                        .containsExactly(EventType.TURN_END);
            }
        }

        @Test
        void does_not_keep_out_plain_appends_which_are_ordered_with_its_own() {
            try (DriverLease driver = here.commands.drive(id)) {
                driver.append(TurnStart.of(1));
                there.commands.append(id, LogBuilder.userMessage("there"), SurfaceIntent.append());
                here.commands.append(id, LogBuilder.userMessage("here"), SurfaceIntent.append());
                CompletableFuture<Appended> later =
                        driver.appendAsync(LogBuilder.userMessage("driven"), SurfaceIntent.append());
                assertThat(later.join().seq()).isEqualTo(3);
            }
        }

        @Test
        void lets_go_only_after_what_it_has_appended_is_stored() {
            List<CompletableFuture<Appended>> all = new ArrayList<>();
            try (DriverLease driver = here.commands.drive(id)) {
                for (int i = 0; i < 50; i++) {
                    all.add(driver.appendAllAsync(List.of(Drafts.say("m" + i))));
                }
            }
            assertThat(all).allSatisfy(one -> assertThat(one.join().events()).hasSize(1));
            assertThat(lease().holder()).isNull();
        }

        @Test
        void that_has_closed_its_lease_appends_nothing_more() {
            DriverLease driver = here.commands.drive(id);
            driver.close();
            assertLost(driver);
            driver.close();
        }

        @Test
        void is_released_when_the_commands_are_closed() {
            DriverLease driver = here.commands.drive(id);
            here.commands.close();
            assertThat(driver.isHeld()).isFalse();
            assertThat(there.commands.drive(id).token()).isEqualTo(2);
        }

        @Test
        void renews_its_lease_by_itself() {
            CommandStack brief =
                    start(CommandStack.on(store()).lease(Duration.ofSeconds(1)).clock(clock));
            try (DriverLease driver = brief.commands.drive(id)) {
                long expires = lease().expiresAt();
                clock.pass(Duration.ofSeconds(100));
                Bounded.until(() -> lease().expiresAt() > expires + 50_000);
                assertThat(lease().token()).isEqualTo(driver.token());
            }
        }

        @Test
        void whose_renewal_fails_tries_again_and_one_that_was_taken_over_hears_of_it() {
            FaultyStore failing = new FaultyStore(store());
            CommandStack brief =
                    start(CommandStack.on(failing).lease(Duration.ofSeconds(1)).clock(clock));
            DriverLease driver = brief.commands.drive(id);
            AtomicInteger failures = new AtomicInteger();
            failing.beforeRenewal(() -> {
                if (failures.incrementAndGet() < 3) {
                    throw new StoreUnavailableException(StoreUnavailableException.Reason.LOCKED, "locked");
                }
            });
            long expires = lease().expiresAt();
            clock.pass(Duration.ofSeconds(100));
            Bounded.until(() -> lease().expiresAt() > expires);
            assertThat(failures.get()).isGreaterThanOrEqualTo(3);

            there.commands.drive(DriveSession.forced(id));
            Bounded.until(() -> !driver.isHeld());
        }

        @Test
        void of_another_session_is_no_driver_of_this_one() {
            SessionId other = here.commands.create(header("other"));
            try (DriverLease driver = here.commands.drive(id)) {
                assertThatThrownBy(() -> driver.append(AppendEvents.to(other, List.of(Drafts.say("x")))))
                        .isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> here.commands.drive(SessionId.of("nobody")))
                    .isInstanceOf(UnknownSessionException.class);
        }
    }

    @Nested
    class ADriverThatHasLostItsLease {

        @Test
        void because_it_has_expired_stores_nothing_more_and_can_drive_again() {
            DriverLease stale = here.commands.drive(id);
            stale.append(TurnStart.of(1));
            clock.pass(Duration.ofSeconds(31));

            try (DriverLease driver = there.commands.drive(id)) {
                assertThat(driver.recovered().events()).hasSize(1);
                assertLost(stale);
                driver.append(TurnStart.of(2));
            }
            try (DriverLease again = here.commands.drive(id)) {
                assertThat(again.token()).isEqualTo(3);
                assertThat(again.append(TurnStart.of(3)).seq()).isEqualTo(4);
            }
        }

        @Test
        void by_force_stores_nothing_more() {
            DriverLease stale = here.commands.drive(id);
            try (DriverLease driver = there.commands.drive(DriveSession.forced(id))) {
                assertLost(stale);
                assertThat(driver.isHeld()).isTrue();
            }
        }

        @Test
        void to_a_recovery_stores_nothing_behind_the_closers() {
            DriverLease stale = here.commands.drive(id);
            stale.append(TurnStart.of(1));
            assertThatThrownBy(() -> there.commands.recover(id)).isInstanceOf(LeaseHeldException.class);

            assertThat(there.commands.recover(RecoverSession.forced(id)).events())
                    .hasSize(1);
            assertLost(stale);

            DriverLease expired = here.commands.drive(id);
            expired.append(TurnStart.of(2));
            clock.pass(Duration.ofSeconds(31));
            assertThat(there.commands.recover(id).events()).hasSize(1);
            assertLost(expired);
        }

        @Test
        void to_a_forced_recovery_of_a_balanced_log_stores_nothing_more() {
            DriverLease stale = here.commands.drive(id);
            assertThat(there.commands.recover(RecoverSession.forced(id)).events())
                    .isEmpty();
            assertLost(stale);
        }

        @Test
        void fails_its_pipeline_and_nobody_elses() {
            DriverLease stale = here.commands.drive(id);
            HeldCommit held = new HeldCommit(faulty, () -> there.commands.drive(DriveSession.forced(id)));
            CompletableFuture<Appended> first = stale.appendAllAsync(List.of(Drafts.say("first")));
            held.awaitReached();
            CompletableFuture<Appended> plain = here.commands.appendAllAsync(id, List.of(Drafts.say("plain")));
            CompletableFuture<Appended> second = stale.appendAllAsync(List.of(Drafts.say("second")));
            CompletableFuture<Appended> last = here.commands.appendAllAsync(id, List.of(Drafts.say("last")));
            held.close();

            assertThatThrownBy(first::join).hasCauseInstanceOf(LeaseLostException.class);
            assertThatThrownBy(second::join).hasCauseInstanceOf(LeaseLostException.class);
            assertThat(plain.join().seq()).isZero();
            assertThat(last.join().seq()).isEqualTo(1);
            assertThat(here.queries.messages(id)).hasSize(2);
        }

        @Test
        void to_a_clock_that_was_set_back_or_not_at_all_if_it_was_renewed_since() {
            DriverLease stale = here.commands.drive(id);
            clock.pass(Duration.ofHours(-1));
            try (DriverLease driver = there.commands.drive(id)) {
                assertThat(driver.isHeld()).isTrue();
                assertLost(stale);
            }
        }
    }

    @Nested
    class AProcessOnThisMachine {

        private LeaseRequest heldBy(String process, Duration duration) {
            String host = new ThisProcess().newHolder().host();
            return LeaseRequest.by(
                    new LeaseHolder("o", host, process), id, LeasePurpose.DRIVER, clock.millis(), duration);
        }

        @Test
        void that_has_never_been_or_has_left_its_number_to_another_is_dead() {
            ProcessMark self = ProcessMark.ofThisProcess();
            ProcessMark earlier = new ProcessMark(self.pid(), self.started() + "1", self.realm());
            store().takeLease(heldBy(earlier.toString(), Duration.ofHours(1)));
            here.commands.drive(id).close();
            ProcessMark none = new ProcessMark(Integer.MAX_VALUE, self.started(), self.realm());
            store().takeLease(heldBy(none.toString(), Duration.ofHours(1)));

            assertThat(there.commands.recover(id).events()).isEmpty();
            there.commands.drive(id).close();
        }

        @Test
        void of_another_boot_or_container_or_without_a_mark_may_live() {
            ProcessMark self = ProcessMark.ofThisProcess();
            for (String process : new String[] {
                new ProcessMark(Integer.MAX_VALUE, self.started(), self.realm() + "x").toString(),
                "4711",
                "x y z",
                "",
                null
            }) {
                store().takeLease(heldBy(process, Duration.ofHours(1)).forced());
                assertThatThrownBy(() -> here.commands.drive(id)).isInstanceOf(LeaseHeldException.class);
            }
        }
    }

    @Nested
    class AFault {

        @Test
        void after_the_commit_is_settled_from_the_store() {
            here.commands.append(id, TurnStart.of(1));
            faulty.afterLease(outcome -> {
                throw new StoreUnavailableException(StoreUnavailableException.Reason.IO, "the answer is lost");
            });

            DriverLease driver = here.commands.drive(id);

            assertThat(driver.recovered().events()).hasSize(1);
            driver.append(TurnStart.of(2));
            assertThat(types()).containsExactly(EventType.TURN_START, EventType.TURN_END, EventType.TURN_START);
            assertThat(here.commands.recover(RecoverSession.forced(id)).events())
                    .hasSize(1);
            assertThat(storedNextSeq(id)).isEqualTo(4);
        }

        @Test
        void before_it_takes_nothing_and_the_next_try_succeeds() {
            here.commands.append(id, TurnStart.of(1));
            faulty.beforeLease(request -> {
                throw new StoreUnavailableException(StoreUnavailableException.Reason.IO, "nothing goes");
            });
            assertThatThrownBy(() -> here.commands.drive(id)).isInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(() -> here.commands.recover(id)).isInstanceOf(StoreUnavailableException.class);
            assertThat(store().lease(id, LeasePurpose.DRIVER)).isEmpty();
            faulty.heal();

            assertThat(here.commands.drive(id).recovered().events()).hasSize(1);
        }

        @Test
        void of_a_tail_that_moves_under_it_is_none() {
            AtomicInteger moves = new AtomicInteger();
            faulty.beforeLease(request -> {
                int move = moves.incrementAndGet();
                if (move <= 5) {
                    there.commands.appendAll(
                            id, List.of(move == 1 ? EventDraft.of(TurnStart.of(1)) : Drafts.say("move " + move)));
                }
            });
            assertThat(here.commands.drive(id).recovered().events()).hasSize(1);
            assertThat(storedNextSeq(id)).isEqualTo(6);
        }
    }

    @Test
    void many_who_want_to_drive_at_once_are_told_apart_and_write_the_closers_once() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 10; round++) {
                SessionId one = here.commands.create(header("r" + round));
                here.commands.append(one, TurnStart.of(1));
                List<Future<DriverLease>> all = new ArrayList<>();
                for (int i = 0; i < 16; i++) {
                    SessionCommands commands = i % 2 == 0 ? here.commands : there.commands;
                    all.add(threads.submit(() -> commands.drive(one)));
                }
                int drivers = 0;
                for (Future<DriverLease> each : all) {
                    try {
                        assertThat(each.get(Bounded.SECONDS, TimeUnit.SECONDS)
                                        .recovered()
                                        .events())
                                .hasSize(1);
                        drivers++;
                    } catch (java.util.concurrent.ExecutionException e) {
                        assertThat(e).hasCauseInstanceOf(LeaseHeldException.class);
                    }
                }
                assertThat(drivers).isEqualTo(1);
                assertThat(storedNextSeq(one)).isEqualTo(2);
            }
        } finally {
            threads.shutdown();
        }
    }
}
