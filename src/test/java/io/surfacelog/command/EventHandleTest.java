package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.UserMessage;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.testing.LogBuilder;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Events that are cited and replaced by handle, wherever they come to stand. */
@SuppressWarnings("FutureReturnValueIgnored") // what became of them is read from the store
class EventHandleTest extends StoreSuite {

    private FaultyStore faulty;
    private CommandStack here;
    private SessionId id;
    private final EventHandle one = EventHandle.create();
    private final EventHandle two = EventHandle.create();

    @BeforeEach
    void createSession() {
        faulty = new FaultyStore(store());
        here = start(CommandStack.on(faulty));
        id = here.commands.create(header("s"), List.of());
    }

    private static EventDraft message(String text) {
        return EventDraft.of(LogBuilder.userMessage(text), SurfaceIntent.append());
    }

    private CompletableFuture<Appended> add(EventDraft... drafts) {
        return here.commands.appendAllAsync(id, List.of(drafts));
    }

    private static List<Long> sources(SessionEvent event) {
        return event.intent().orElseThrow().sourcesOrNone().stream().boxed().toList();
    }

    @Nested
    class AHandle {

        @Test
        void stands_for_an_earlier_event_of_its_batch() {
            Appended appended = add(
                            message("a").named(one),
                            message("b").named(two).citing(one),
                            message("c").replacing(one, two).citing(one, two))
                    .join();

            assertThat(sources(appended.events().get(1))).containsExactly(1L);
            assertThat(sources(appended.events().get(2))).containsExactly(1L, 2L);
            assertThat(here.queries.surface(id).nodeSeqs()).containsExactly(3);
        }

        @Test
        void stands_for_an_event_of_an_append_that_is_staged_or_durable_after_what_is_cited_by_number() {
            HeldCommit held = new HeldCommit(faulty);
            CompletableFuture<Appended> first = add(message("a").named(one));
            held.awaitReached();
            CompletableFuture<Appended> staged = add(
                    EventDraft.of(UserMessage.of("b"), SurfaceIntent.append().citing(0))
                            .citing(one));
            held.close();

            assertThat(sources(staged.join().events().get(0))).containsExactly(0L, 1L);
            assertThat(first).isDone();
            assertThat(sources(add(message("c").citing(one)).join().events().get(0)))
                    .containsExactly(1L);
        }

        @Test
        void may_end_a_range_that_begins_at_a_durable_node() {
            here.commands.appendAll(id, List.of(message("a"), message("b")));
            add(message("c").named(one));

            add(EventDraft.of(UserMessage.of("all"), SurfaceIntent.append().citing(1, 2))
                            .replacing(1, one)
                            .citing(one))
                    .join();
            assertThat(here.queries.surface(id).nodeSeqs()).containsExactly(4);
        }
    }

    @Nested
    class WhenAnotherProcessMovesTheTail {

        @Test
        void appends_that_name_staged_events_by_handle_are_planned_again_where_numbers_fail() {
            CommandStack there = startAnotherProcess();
            HeldCommit held = new HeldCommit(faulty, () -> there.commands.append(id, TurnStart.of(1)));
            CompletableFuture<Appended> first =
                    add(message("a").named(one), message("b").named(two).citing(one));
            held.awaitReached();
            CompletableFuture<Appended> byHandle =
                    add(message("c").replacing(one, two).citing(one, two));
            CompletableFuture<Appended> byNumber = add(
                    EventDraft.of(UserMessage.of("d"), SurfaceIntent.append().citing(1)));
            held.close();

            assertThat(first.join().firstSeq()).isEqualTo(2);
            assertThat(sources(first.join().events().get(1))).containsExactly(2L);
            assertThat(byHandle.join().seq()).isEqualTo(4);
            assertThat(sources(byHandle.join().events().get(0))).containsExactly(2L, 3L);
            assertThatThrownBy(byNumber::join).hasCauseInstanceOf(AppendConflictException.class);
            assertThat(here.queries.surface(id).nodeSeqs()).containsExactly(4);
        }

        @Test
        void one_whose_append_is_refused_then_refuses_those_that_need_it() {
            CommandStack there = startAnotherProcess();
            HeldCommit held = new HeldCommit(faulty, () -> there.commands.append(id, TurnStart.of(1)));
            CompletableFuture<Appended> stale = here.commands.appendAsync(
                    AppendEvents.to(id, List.of(message("a").named(one))).expectingNextSeq(1));
            held.awaitReached();
            CompletableFuture<Appended> onIt = add(message("b").citing(one));
            held.close();

            assertThatThrownBy(stale::join).hasCauseInstanceOf(StaleSeqException.class);
            assertThatThrownBy(onIt::join).hasCauseInstanceOf(EventHandleException.class);
            assertThat(add(message("a").named(one), message("b").citing(one))
                            .join()
                            .nextSeq())
                    .isEqualTo(4);
        }
    }

    @Nested
    class IsRefused {

        private void refused(SessionId session, int index, EventDraft... drafts) {
            assertThatExceptionOfType(EventHandleException.class)
                    .isThrownBy(() -> here.commands.appendAll(session, List.of(drafts)))
                    .satisfies(e -> assertThat(e.session()).isEqualTo(session))
                    .satisfies(e -> assertThat(e.index()).isEqualTo(index));
        }

        @Test
        void where_it_names_no_event_before_it() {
            refused(id, 0, message("a").citing(one));
            refused(id, 0, message("a").citing(one), message("b").named(one));
            refused(id, 0, message("a").named(one).citing(one));
            refused(id, 1, message("a"), message("b").replacing(0, one));
            assertThat(storedNextSeq(id)).isEqualTo(1);
        }

        @Test
        void where_its_event_is_of_another_session() {
            SessionId other = here.commands.create(header("other"));
            add(message("a").named(one)).join();

            refused(other, 0, message("b").citing(one));
        }

        @Test
        void where_it_would_name_two_events() {
            add(message("a").named(one)).join();

            refused(id, 0, message("b").named(one));
            refused(id, 1, message("b").named(two), message("c").named(two));
            // nothing of what was refused was named
            add(message("b").named(two)).join();
        }

        @Test
        void where_its_append_was_refused_or_failed_and_it_may_be_used_again() {
            assertThatThrownBy(() -> here.commands.appendAll(
                    id, List.of(message("a").named(one), EventDraft.untyped(UserMessage.of("no intent"), null))));
            refused(id, 0, message("b").citing(one));
            faulty.beforeCommit(writes -> {
                faulty.heal();
                throw new StoreUnavailableException(Reason.DISK_FULL, "full");
            });
            assertThatThrownBy(
                    () -> here.commands.appendAll(id, List.of(message("a").named(one))));
            refused(id, 0, message("b").citing(one));

            add(message("a").named(one)).join();
            assertThat(sources(add(message("b").citing(one)).join().events().get(0)))
                    .containsExactly(1L);
        }

        @Test
        void on_a_draft_that_cites_nothing() {
            assertThatThrownBy(() -> EventDraft.of(TurnStart.of(1)).citing(one))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> message("a").citing(one).toEvent(3, 3)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void an_append_under_a_key_is_known_again_by_what_its_handles_stand_for() {
        List<EventDraft> batch = List.of(message("a").named(one), message("b").citing(one));
        AppendEvents keyed = AppendEvents.to(id, batch).idempotencyKey("k");
        here.commands.append(keyed);

        assertThat(here.commands.append(keyed).repeated()).isTrue();
        List<EventDraft> afresh = List.of(message("a").named(two), message("b").citing(two));
        assertThat(here.commands
                        .append(AppendEvents.to(id, afresh).idempotencyKey("k"))
                        .repeated())
                .isTrue();
        assertThat(sources(add(message("c").citing(two)).join().events().get(0)))
                .containsExactly(1L);
        List<EventDraft> different = List.of(message("a"), message("b"));
        assertThatExceptionOfType(IdempotencyConflictException.class)
                .isThrownBy(() ->
                        here.commands.append(AppendEvents.to(id, different).idempotencyKey("k")));
    }
}
