package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.Message;
import io.surfacelog.event.RequestContext;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.UserMessage;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.Aside;
import io.surfacelog.testing.LogBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Two processes write one store: each plans on what it has seen, and every commit is compared with what is stored. */
class TwoProcessesTest extends StoreSuite {

    private FaultyStore faulty;
    private CommandStack here;
    private CommandStack there;
    private SessionId id;

    @BeforeEach
    void startBoth() {
        faulty = new FaultyStore(store());
        here = start(CommandStack.on(faulty));
        there = startAnotherProcess();
        id = here.commands.create(header("s"), List.of());
    }

    /** The other process appends when this one is about to commit what it has planned. */
    private void overtakenBy(EventDraft... drafts) {
        faulty.beforeCommit(writes -> {
            faulty.beforeCommit(later -> {});
            there.commands.appendAll(id, List.of(drafts));
        });
    }

    private List<String> texts() {
        return stored(id).stream()
                .filter(SessionEvent::isSurface)
                .map(event -> ((UserMessage) event.payload()).message().text())
                .toList();
    }

    @Nested
    class AnAppendThatWasOvertaken {

        @Test
        void is_planned_again_where_the_log_ends_now() {
            overtakenBy(Drafts.say("there"));

            Appended appended = here.commands.appendAll(id, List.of(Drafts.say("here")));

            assertThat(appended.seq()).isEqualTo(2);
            assertThat(texts()).containsExactly("there", "here");
            assertThat(here.queries.messages(id)).hasSize(2);
        }

        @Test
        void with_an_expected_seq_is_stale() {
            overtakenBy(Drafts.say("there"));

            assertThatExceptionOfType(StaleSeqException.class)
                    .isThrownBy(() -> here.commands.append(
                            AppendEvents.to(id, List.of(Drafts.say("here"))).expectingNextSeq(1)))
                    .satisfies(e -> assertThat(e.found()).isEqualTo(2));
            assertThat(texts()).containsExactly("there");
        }

        @Test
        void makes_its_function_again_for_its_new_place() {
            overtakenBy(Drafts.say("there"));

            Appended appended = here.commands.appendAll(
                    id,
                    next -> List.of(
                            Drafts.say("at " + next),
                            EventDraft.of(
                                    LogBuilder.userMessage("instead"),
                                    SurfaceIntent.replace(next, next).citing(next))));

            assertThat(appended.firstSeq()).isEqualTo(2);
            assertThat(texts()).containsExactly("there", "at 2", "instead");
        }

        @Test
        void is_refused_if_the_other_process_has_taken_what_it_names() {
            here.commands.appendAll(id, List.of(Drafts.say("x")));
            overtakenBy(EventDraft.of(
                    LogBuilder.userMessage("there"), SurfaceIntent.replace(1, 1).citing(1)));

            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> here.commands.append(
                            id,
                            LogBuilder.userMessage("here"),
                            SurfaceIntent.replace(1, 1).citing(1)))
                    .satisfies(e -> assertThat(e.rule()).isEqualTo(AdmissionRule.REPLACE_START_ABSENT));
            assertThat(texts()).containsExactly("x", "there");
        }

        @Test
        void may_name_what_was_durable_when_it_was_planned() {
            here.commands.appendAll(id, List.of(Drafts.say("x")));
            overtakenBy(Drafts.say("there"));

            here.commands.append(
                    id,
                    LogBuilder.userMessage("here"),
                    SurfaceIntent.replace(1, 1).citing(1));

            assertThat(here.queries.surface(id).nodeSeqs()).containsExactly(3, 2);
        }

        @Test
        void that_names_its_own_seqs_by_number_is_not_planned_again() {
            overtakenBy(Drafts.say("there"));
            List<EventDraft> numbered = List.of(
                    Drafts.say("here"),
                    EventDraft.of(
                            LogBuilder.userMessage("instead"),
                            SurfaceIntent.replace(1, 1).citing(1)));

            assertThatExceptionOfType(AppendConflictException.class)
                    .isThrownBy(() -> here.commands.appendAll(id, numbered));
            assertThat(texts()).containsExactly("there");
        }

        @Test
        void sixteen_times_is_given_up_and_the_next_one_goes_through() {
            AtomicInteger overtakings = new AtomicInteger();
            faulty.beforeCommit(writes ->
                    there.commands.appendAll(id, List.of(Drafts.say("there " + overtakings.incrementAndGet()))));

            assertThatExceptionOfType(AppendConflictException.class)
                    .isThrownBy(() -> here.commands.appendAll(id, List.of(Drafts.say("here"))));

            assertThat(overtakings).hasValue(16);
            faulty.heal();
            assertThat(here.commands.append(id, TurnStart.of(1)).seq()).isEqualTo(17);
        }
    }

    @Nested
    class APipelineThatWasOvertaken {

        @Test
        void keeps_its_order_but_for_what_names_a_staged_event_by_number() {
            HeldCommit held = new HeldCommit(faulty, () -> there.commands.appendAll(id, List.of(Drafts.say("there"))));
            CompletableFuture<Appended> first = here.commands.appendAllAsync(id, List.of(Drafts.say("first")));
            held.awaitReached();
            CompletableFuture<Appended> numbered = here.commands.appendAsync(
                    id,
                    LogBuilder.userMessage("numbered"),
                    SurfaceIntent.append().citing(1));
            CompletableFuture<Appended> plain = here.commands.appendAllAsync(id, List.of(Drafts.say("plain")));
            CompletableFuture<Appended> function = here.commands.appendAllAsync(
                    id,
                    next -> List.of(
                            Drafts.say("f" + next),
                            EventDraft.of(
                                    LogBuilder.userMessage("g"),
                                    SurfaceIntent.append().citing(next))));
            held.close();

            assertThat(first.join().seq()).isEqualTo(2);
            assertThatThrownBy(numbered::join).hasCauseInstanceOf(AppendConflictException.class);
            assertThat(plain.join().seq()).isEqualTo(3);
            assertThat(function.join().firstSeq()).isEqualTo(4);
            assertThat(texts()).containsExactly("there", "first", "plain", "f4", "g");
        }

        @Test
        void does_not_count_against_what_was_never_tried() {
            // one held commit, then 1,100 writes, more than one commit takes
            HeldCommit held = new HeldCommit(faulty);
            List<CompletableFuture<Appended>> all = new ArrayList<>();
            all.add(here.commands.appendAllAsync(id, List.of(Drafts.say("m0"))));
            held.awaitReached();
            for (int i = 1; i <= 1_100; i++) {
                all.add(here.commands.appendAllAsync(id, List.of(Drafts.say("m" + i))));
            }
            // ten times for the first thousand, which then are stored, and ten times for the rest
            AtomicInteger commits = new AtomicInteger();
            faulty.beforeCommit(writes -> {
                if (commits.incrementAndGet() % 11 != 0) {
                    there.commands.append(id, RequestContext.of("acme", "m-1", null));
                }
            });
            held.close();

            assertThat(all).allSatisfy(one -> assertThat(one.join().repeated()).isFalse());
            List<String> expected = new ArrayList<>();
            for (int i = 0; i <= 1_100; i++) {
                expected.add("m" + i);
            }
            assertThat(String.join(" ", texts())).isEqualTo(String.join(" ", expected));
        }

        @Test
        void by_as_many_events_as_its_first_write_has_lets_none_of_it_slip_through() {
            for (boolean keyed : new boolean[] {false, true}) {
                SessionId own = here.commands.create(header("own" + keyed), List.of());
                HeldCommit held = new HeldCommit(faulty);
                CompletableFuture<Appended> blocker = here.commands.appendAllAsync(id, List.of(Drafts.say("blocker")));
                held.awaitReached();
                // one commit takes these two; the second expects the seq that the other process's event leaves
                AppendEvents one = AppendEvents.to(own, List.of(Drafts.say("one")));
                CompletableFuture<Appended> first = here.commands.appendAsync(keyed ? one.idempotencyKey("k") : one);
                CompletableFuture<Appended> second = here.commands.appendAllAsync(own, List.of(Drafts.say("two")));
                CompletableFuture<Appended> numbered = here.commands.appendAsync(
                        own,
                        LogBuilder.userMessage("instead of one"),
                        SurfaceIntent.replace(1, 1).citing(1));
                faulty.beforeCommit(writes -> {
                    faulty.heal();
                    there.commands.appendAll(own, List.of(Drafts.say("there")));
                });
                held.close();

                assertThat(blocker.join().events()).hasSize(1);
                assertThat(first.join().seq()).isEqualTo(2);
                assertThat(second.join().seq()).isEqualTo(3);
                assertThatThrownBy(numbered::join).hasCauseInstanceOf(AppendConflictException.class);
                assertThat(here.queries.messages(own)).extracting(Message::text).containsExactly("there", "one", "two");
            }
        }

        @Test
        void by_a_key_goes_on_behind_it() {
            AppendEvents keyed =
                    AppendEvents.to(id, List.of(Drafts.say("once"))).idempotencyKey("k");
            HeldCommit held = new HeldCommit(faulty, () -> there.commands.append(keyed));
            CompletableFuture<Appended> first = here.commands.appendAsync(keyed);
            held.awaitReached();
            CompletableFuture<Appended> second = here.commands.appendAllAsync(id, List.of(Drafts.say("second")));
            held.close();

            assertThat(first.join().repeated()).isTrue();
            assertThat(second.join().seq()).isEqualTo(2);
            assertThat(texts()).containsExactly("once", "second");
        }

        @Test
        void by_a_session_of_its_name_goes_on_in_that_session() {
            HeldCommit held = new HeldCommit(faulty, () -> there.commands.create(header("new"), List.of()));
            CompletableFuture<SessionId> create = Aside.supply(() -> here.commands.create(header("new")));
            held.awaitReached();
            CompletableFuture<Appended> append =
                    here.commands.appendAllAsync(SessionId.of("new"), List.of(Drafts.say("mine")));
            held.close();

            assertThatThrownBy(create::join).hasCauseInstanceOf(SessionExistsException.class);
            assertThat(append.join().seq()).isEqualTo(1);
        }
    }

    @Nested
    class WhatTheOtherProcessWrote {

        @Test
        void is_seen_on_refresh_and_at_the_next_write() {
            there.commands.appendAll(id, List.of(Drafts.say("one")));
            assertThat(here.queries.nextSeq(id)).isEqualTo(1);
            assertThat(here.queries.refresh(id).nextSeq()).isEqualTo(2);

            there.commands.appendAll(id, List.of(Drafts.say("two")));
            here.commands.appendAll(id, List.of(Drafts.say("three")));
            assertThat(here.queries.messages(id)).extracting(m -> m.text()).containsExactly("one", "two", "three");
        }

        @Test
        void may_be_named_before_this_process_has_seen_it() {
            there.commands.appendAll(id, List.of(Drafts.say("one")));

            assertThat(here.commands
                            .append(
                                    id,
                                    LogBuilder.userMessage("instead"),
                                    SurfaceIntent.replace(1, 1).citing(1))
                            .seq())
                    .isEqualTo(2);
        }
    }

    @Test
    void a_write_that_a_leader_puts_back_is_committed_though_the_leader_has_its_answer() {
        SessionId own = here.commands.create(header("own"));
        for (int round = 0; round < 60; round++) {
            faulty.beforeCommit(writes -> {
                if (writes.stream().anyMatch(write -> write.id().equals(id))) {
                    faulty.beforeCommit(later -> {});
                    there.commands.appendAll(id, List.of(Drafts.say("there")));
                }
            });
            CompletableFuture<Appended> moved = here.commands.appendAllAsync(id, List.of(Drafts.say("async")));
            here.commands.appendAll(own, List.of(Drafts.say("here")));
            assertThat(moved.orTimeout(Bounded.SECONDS, TimeUnit.SECONDS).join().events())
                    .hasSize(1);
        }
    }

    @Test
    void appends_of_both_interleave_without_loss_or_duplicate() throws Exception {
        int perThread = 60;
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                SessionCommands commands = t % 2 == 0 ? here.commands : there.commands;
                String name = "t" + t + "-";
                running.add(threads.submit(() -> {
                    for (int i = 0; i < perThread; i++) {
                        appendUntilPlaced(commands, name + i);
                    }
                }));
            }
            for (Future<?> one : running) {
                one.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdown();
        }

        List<String> texts = texts();
        assertThat(texts).hasSize(4 * perThread).doesNotHaveDuplicates();
        for (int t = 0; t < 4; t++) {
            String name = "t" + t + "-";
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < perThread; i++) {
                expected.add(name + i);
            }
            assertThat(texts).filteredOn(text -> text.startsWith(name)).isEqualTo(expected);
        }
        long[] folded = Surface.empty().plan(stored(id)).after().nodeSeqs();
        assertThat(here.queries.refresh(id).nodeSeqs()).isEqualTo(folded);
        assertThat(there.queries.refresh(id).nodeSeqs()).isEqualTo(folded);
    }

    private void appendUntilPlaced(SessionCommands commands, String text) {
        while (true) {
            try {
                commands.appendAll(id, List.of(Drafts.say(text)));
                return;
            } catch (AppendConflictException e) {
                // the other process was faster sixteen times; nothing was written
                assertThat(e.session()).isEqualTo(id);
            }
        }
    }
}
