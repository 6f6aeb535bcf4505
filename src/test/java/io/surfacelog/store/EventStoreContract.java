package io.surfacelog.store;

import static io.surfacelog.store.SampleLogs.chunk;
import static io.surfacelog.store.SampleLogs.header;
import static io.surfacelog.store.SampleLogs.turnStart;
import static io.surfacelog.store.SampleLogs.user;
import static io.surfacelog.store.SampleLogs.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonText;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.store.EventRange.Kind;
import io.surfacelog.store.WriteOutcome.Committed;
import io.surfacelog.store.WriteOutcome.IdTaken;
import io.surfacelog.store.WriteOutcome.KeyUsed;
import io.surfacelog.store.WriteOutcome.NoSuchSession;
import io.surfacelog.store.WriteOutcome.TailMoved;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * What every backend promises about writing, its threads and its end; {@link EventStoreReadingContract} has the rest. A
 * backend's test class extends both and says how to open an empty store.
 */
public abstract class EventStoreContract extends StoreFixture {

    @Nested
    class Commit {

        @Test
        void of_nothing_answers_nothing() {
            assertThat(store.commit(List.of())).isEmpty();
            assertThat(store.lastPosition()).isZero();
        }

        @Test
        void creates_a_session_without_events() {
            assertThat(create("a", List.of())).isEqualTo(new Committed(1));
            assertThat(store.find(A)).contains(new StoredSession(header("a"), 0, 0, 1));
            assertThat(store.events(A, EventRange.all())).isEmpty();
            assertThat(store.commits(0, 10)).containsExactly(new StoredCommit(1, A, 0, 0));
        }

        @Test
        void creates_a_session_together_with_its_first_events() {
            List<SessionEvent> seed = List.of(turnStart(0), user(1, "hi"), chunk(2));
            assertThat(create("a", seed)).isEqualTo(new Committed(1));
            assertThat(store.events(A, EventRange.all())).isEqualTo(seed);
            assertThat(store.find(A)).contains(new StoredSession(header("a"), 3, 1, 1));
        }

        @Test
        void appends_where_the_tail_is() {
            create("a", users(0, 2));
            assertThat(append(A, null, users(2, 3))).isEqualTo(new Committed(2));
            assertThat(store.events(A, EventRange.all())).isEqualTo(users(0, 5));
        }

        @Test
        void refuses_another_tail_and_says_which_it_is() {
            create("a", users(0, 2));
            assertThat(append(A, null, users(1, 1))).isEqualTo(new TailMoved(2));
            assertThat(append(A, null, users(3, 1))).isEqualTo(new TailMoved(2));
            assertThat(append(A, null, users(1L << 40, 1))).isEqualTo(new TailMoved(2));
            assertThat(store.events(A, EventRange.all())).isEqualTo(users(0, 2));
            assertThat(store.lastPosition()).isEqualTo(1);
        }

        @Test
        void refuses_an_id_that_is_taken_and_a_session_that_is_unknown() {
            create("a", users(0, 2));
            assertThat(create("a", users(0, 1))).isEqualTo(new IdTaken());
            assertThat(append(B, null, users(0, 1))).isEqualTo(new NoSuchSession());
            assertThat(store.find(B)).isEmpty();
            assertThat(store.find(A).orElseThrow().nextSeq()).isEqualTo(2);
        }

        @Test
        void lets_the_good_writes_pass_when_others_are_refused() {
            create("a", users(0, 1));
            List<WriteOutcome> outcomes = store.commit(List.of(
                    SessionWrite.append(A, 7, users(7, 1), null),
                    SessionWrite.append(A, 1, users(1, 1), null),
                    SessionWrite.append(B, 0, users(0, 1), null),
                    SessionWrite.create(header("b"), users(0, 2)),
                    SessionWrite.create(header("a"), List.of())));
            assertThat(outcomes)
                    .containsExactly(
                            new TailMoved(1), new Committed(2), new NoSuchSession(), new Committed(3), new IdTaken());
            assertThat(store.events(A, EventRange.all())).isEqualTo(users(0, 2));
            assertThat(store.events(B, EventRange.all())).isEqualTo(users(0, 2));
        }

        @Test
        void lets_later_writes_see_the_earlier_ones() {
            List<WriteOutcome> outcomes = store.commit(List.of(
                    SessionWrite.create(header("a"), users(0, 1)),
                    SessionWrite.append(A, 1, users(1, 2), "k"),
                    SessionWrite.append(A, 1, users(1, 2), null),
                    SessionWrite.append(A, 3, users(3, 1), "k"),
                    SessionWrite.append(A, 3, List.of(chunk(3)), null)));
            assertThat(outcomes)
                    .containsExactly(
                            new Committed(1),
                            new Committed(2),
                            new TailMoved(3),
                            new KeyUsed("k", new KeyedAppend(1, 2)),
                            new Committed(3));
            assertThat(seqs(A, EventRange.all())).containsExactly(0L, 1L, 2L, 3L);
            assertThat(store.find(A).orElseThrow().surfaceEvents()).isEqualTo(3);
        }

        @Test
        void takes_several_writes_of_each_of_many_sessions() {
            List<SessionWrite> writes = new ArrayList<>();
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < 300; i++) {
                    SessionId id = SessionId.of("s" + i);
                    writes.add(
                            round == 0
                                    ? SessionWrite.create(header(id.value()), users(0, 1))
                                    : SessionWrite.append(id, round, users(round, 1), null));
                }
            }
            assertThat(store.commit(writes)).hasSize(900).allMatch(Committed.class::isInstance);
            for (int i = 0; i < 300; i += 37) {
                assertThat(store.events(SessionId.of("s" + i), EventRange.all()))
                        .isEqualTo(users(0, 3));
            }
        }

        @Test
        void keeps_what_was_given_unit_for_unit() {
            long seed = System.nanoTime();
            Random random = new Random(seed);
            List<SessionEvent> log = SampleLogs.random(random, 0, 400);
            create("a", log.subList(0, 150));
            append(A, null, log.subList(150, 151));
            append(A, null, log.subList(151, 400));
            assertThat(store.events(A, EventRange.all()))
                    .as("seed %d", seed)
                    .extracting(SessionEvent::toText)
                    .isEqualTo(log.stream().map(SessionEvent::toText).toList());
            assertThat(store.events(A, EventRange.all())).as("seed %d", seed).isEqualTo(log);
        }

        @Test
        void tells_absent_sources_from_empty_ones() {
            List<SessionEvent> log = List.of(
                    user(0, "x"),
                    user(1, "x", SurfaceIntent.append().citing()),
                    user(2, "x", SurfaceIntent.replace(1, 0).citing(1, 0)));
            create("a", log);
            assertThat(store.events(A, EventRange.all())).isEqualTo(log);
        }

        @Test
        void keeps_an_event_of_several_megabytes() {
            SessionEvent large = user(0, "é".repeat(3_000_000));
            create("a", List.of(large));
            assertThat(store.events(A, EventRange.of(0, 1))).containsExactly(large);
        }

        @Test
        void keeps_a_header_with_members_the_format_does_not_name() {
            SessionHeader header = SessionHeader.builder()
                    .id(A)
                    .createdAt(9_007_199_254_740_991L)
                    .cwd("/srv/\ud800")
                    .parentSession(SessionId.of("p\u0000"))
                    .member("x\u0000", Json.parse("[1.0,{\"y\":\"\\udfff\"}]"))
                    .build();
            commit(SessionWrite.create(header, List.of()));
            assertThat(store.find(A).orElseThrow().header().toString()).isEqualTo(header.toString());
        }

        @Test
        void of_any_id_finds_that_session_and_no_other() {
            for (String id : SampleLogs.ODD_TEXTS) {
                assertThat(create(id, List.of(user(0, id)))).isInstanceOf(Committed.class);
            }
            for (String id : SampleLogs.ODD_TEXTS) {
                assertThat(store.find(SessionId.of(id)).orElseThrow().id().value())
                        .isEqualTo(id);
                assertThat(store.events(SessionId.of(id), EventRange.all())).containsExactly(user(0, id));
            }
            assertThat(store.find(SessionId.of("\"\\\"\""))).isEmpty();
        }
    }

    @Nested
    class Keys {

        @Test
        void are_remembered_with_what_they_were_used_for() {
            create("a", users(0, 1));
            append(A, "k", users(1, 3));
            assertThat(store.keyed(A, "k")).contains(new KeyedAppend(1, 3));
            assertThat(store.keyed(A, "other")).isEmpty();
            assertThat(store.keyed(B, "k")).isEmpty();
        }

        @Test
        void are_looked_up_before_the_tail_is_compared() {
            create("a", users(0, 1));
            append(A, "k", users(1, 3));
            assertThat(append(A, "k", users(1, 3))).isEqualTo(new KeyUsed("k", new KeyedAppend(1, 3)));
            assertThat(append(A, "k", users(4, 1))).isEqualTo(new KeyUsed("k", new KeyedAppend(1, 3)));
            assertThat(append(A, "k", users(9, 1))).isEqualTo(new KeyUsed("k", new KeyedAppend(1, 3)));
            assertThat(seqs(A, EventRange.all())).hasSize(4);
        }

        @Test
        void of_a_refused_write_stay_free() {
            create("a", users(0, 1));
            assertThat(append(A, "k", users(5, 1))).isEqualTo(new TailMoved(1));
            assertThat(store.keyed(A, "k")).isEmpty();
            assertThat(append(A, "k", users(1, 1))).isInstanceOf(Committed.class);
        }

        @Test
        void belong_to_their_session() {
            create("a", users(0, 1));
            create("b", users(0, 1));
            append(A, "k", users(1, 1));
            assertThat(append(B, "k", users(1, 2))).isInstanceOf(Committed.class);
            assertThat(store.keyed(A, "k")).contains(new KeyedAppend(1, 1));
            assertThat(store.keyed(B, "k")).contains(new KeyedAppend(1, 2));
        }

        @Test
        void may_come_with_the_creation_and_be_any_text() {
            commit(new SessionWrite(A, header("a"), 0, users(0, 2), Map.of("", new KeyedAppend(0, 2))));
            assertThat(store.keyed(A, "")).contains(new KeyedAppend(0, 2));
            assertThat(commit(new SessionWrite(A, header("a"), 0, users(0, 2), Map.of("", new KeyedAppend(0, 2)))))
                    .isEqualTo(new KeyUsed("", new KeyedAppend(0, 2)));
            long next = 2;
            for (String key : SampleLogs.ODD_TEXTS) {
                append(A, key, users(next, 1));
                assertThat(store.keyed(A, key)).contains(new KeyedAppend(next++, 1));
            }
        }
    }

    @Nested
    class SeveralKeysOfOneWrite {

        private WriteOutcome appendKeyed(long from, int events, Map<String, KeyedAppend> keys) {
            return commit(new SessionWrite(A, null, from, users(from, events), keys));
        }

        @Test
        void are_remembered_each_with_its_own_events() {
            create("a", users(0, 1));
            assertThat(appendKeyed(1, 6, Map.of("x", new KeyedAppend(1, 2), "y", new KeyedAppend(4, 3))))
                    .isEqualTo(new Committed(2));
            assertThat(store.keyed(A, "x")).contains(new KeyedAppend(1, 2));
            assertThat(store.keyed(A, "y")).contains(new KeyedAppend(4, 3));
            assertThat(store.commits(1, 10)).containsExactly(new StoredCommit(2, A, 1, 7));
            assertThat(store.verify(A)).isEmpty();
        }

        @Test
        void refuse_the_whole_write_if_one_was_used_and_say_which() {
            create("a", users(0, 1));
            append(A, "y", users(1, 1));
            Map<String, KeyedAppend> keys = new LinkedHashMap<>();
            keys.put("x", new KeyedAppend(2, 1));
            keys.put("y", new KeyedAppend(3, 1));
            keys.put("z", new KeyedAppend(4, 1));

            assertThat(appendKeyed(2, 3, keys)).isEqualTo(new KeyUsed("y", new KeyedAppend(1, 1)));
            assertThat(seqs(A, EventRange.all())).hasSize(2);
            assertThat(store.keyed(A, "x")).isEmpty();
            assertThat(store.keyed(A, "z")).isEmpty();
        }

        @Test
        void must_stand_for_events_of_the_write() {
            for (KeyedAppend odd : List.of(
                    new KeyedAppend(1, 1), new KeyedAppend(2, 0), new KeyedAppend(2, 3), new KeyedAppend(4, 1))) {
                assertThatThrownBy(() -> new SessionWrite(A, null, 2, users(2, 2), Map.of("k", odd)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("\"k\"");
            }
        }
    }

    @Nested
    class ManyThreads {

        private void run(int threads, Callable<?> task) throws Exception {
            ExecutorService executor = Executors.newFixedThreadPool(threads);
            try {
                for (Future<?> done : executor.invokeAll(Collections.nCopies(threads, task))) {
                    done.get();
                }
            } finally {
                executor.shutdownNow();
            }
        }

        @Test
        void that_append_to_one_session_share_its_seqs() throws Exception {
            create("a", List.of());
            run(4, () -> {
                long next = 0;
                for (int done = 0; done < 25; ) {
                    WriteOutcome outcome = append(A, null, users(next, 2));
                    if (outcome instanceof TailMoved moved) {
                        next = moved.storedNextSeq();
                    } else {
                        done++;
                        next += 2;
                    }
                    // what is seen meanwhile is a prefix without gaps
                    List<Long> seen = seqs(A, EventRange.all().kind(Kind.SURFACE));
                    assertThat(seen.get(seen.size() - 1)).isEqualTo(seen.size() - 1L);
                }
                return null;
            });
            assertThat(seqs(A, EventRange.all())).hasSize(200);
            assertThat(store.commits(0, 1_000))
                    .extracting(StoredCommit::position)
                    .hasSize(101)
                    .isSorted();
        }

        @Test
        void that_are_interrupted_are_served_all_the_same() {
            Thread.currentThread().interrupt();
            assertThat(create("a", users(0, 2))).isEqualTo(new Committed(1));
            assertThat(seqs(A, EventRange.all())).hasSize(2);
            assertThat(Thread.interrupted()).isTrue();
        }

        @Test
        void that_create_the_same_id_get_one_session() throws Exception {
            Set<WriteOutcome> outcomes = Collections.synchronizedSet(new HashSet<>());
            run(4, () -> outcomes.add(create("a", users(0, 1))));
            assertThat(outcomes).containsExactlyInAnyOrder(new Committed(1), new IdTaken());
        }
    }

    @Nested
    class Closed {

        @Test
        void refuses_everything_and_says_so() {
            create("a", List.of());
            store.close();
            List<Runnable> uses = List.of(
                    () -> store.commit(List.of(SessionWrite.create(header("b"), List.of()))),
                    () -> store.find(A),
                    () -> store.list(SessionFilter.all()),
                    () -> store.events(A, EventRange.all()),
                    () -> store.forEach(A, EventRange.all(), event -> {}),
                    () -> store.keyed(A, "k"),
                    () -> store.commits(0, 1),
                    store::lastPosition,
                    store::declaredTypes,
                    () -> store.declare(List.of("x/y")),
                    () -> store.verify(A),
                    store::verifyShared);
            for (Runnable use : uses) {
                assertThatThrownBy(use::run)
                        .isInstanceOfSatisfying(
                                StoreUnavailableException.class,
                                e -> assertThat(e.reason()).isEqualTo(StoreUnavailableException.Reason.CLOSED));
            }
            assertThat(store.info().backend()).isNotEmpty();
        }
    }

    @Nested
    class AWrite {

        @Test
        void that_makes_no_sense_cannot_be_built() {
            assertThatThrownBy(() -> new SessionWrite(A, null, 0, List.of(), Map.of()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new SessionWrite(A, header("b"), 0, List.of(), Map.of()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new SessionWrite(A, header("a"), 3, users(3, 1), Map.of()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new SessionWrite(A, header("a"), 0, List.of(), Map.of("k", new KeyedAppend(0, 1))))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> SessionWrite.append(A, 1, List.of(user(1, "x"), user(3, "y")), null))
                    .isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void holds_data_by_text() {
            SessionEvent event = SessionEvent.of(0, 0, "x/y", JsonText.ofCompact("1.0"), null, true);
            create("a", List.of(event));
            assertThat(store.events(A, EventRange.all()).get(0).data().text()).isEqualTo("1.0");
        }
    }

    @Nested
    class Load {

        @Test
        void creates_a_session_with_all_events_in_one_commit() {
            create("b", users(0, 1));
            List<SessionEvent> log = users(0, 3_000);

            assertThat(store.load(header("a"), log.iterator())).isEqualTo(new Committed(2));

            assertThat(store.events(A, EventRange.all())).isEqualTo(log);
            assertThat(store.find(A)).contains(new StoredSession(header("a"), 3_000, 3_000, 2));
            assertThat(store.commits(1, 10)).containsExactly(new StoredCommit(2, A, 0, 3_000));
        }

        @Test
        void creates_a_session_without_events_too() {
            assertThat(store.load(header("a"), Collections.emptyIterator())).isEqualTo(new Committed(1));
            assertThat(store.find(A).orElseThrow().nextSeq()).isZero();
        }

        @Test
        void refuses_an_id_that_is_taken_and_leaves_the_session() {
            create("a", users(0, 2));

            assertThat(store.load(header("a"), users(0, 5).iterator())).isEqualTo(new IdTaken());

            assertThat(store.events(A, EventRange.all())).isEqualTo(users(0, 2));
            assertThat(store.lastPosition()).isEqualTo(1);
        }

        @Test
        void throws_what_the_iterator_throws_and_stores_nothing() {
            RuntimeException thrown = new IllegalStateException("no more");
            Iterator<SessionEvent> log = users(0, 500).stream()
                    .peek(event -> {
                        if (event.seq() == 450) {
                            throw thrown;
                        }
                    })
                    .iterator();

            assertThatThrownBy(() -> store.load(header("a"), log)).isSameAs(thrown);

            assertThat(store.find(A)).isEmpty();
            assertThat(store.lastPosition()).isZero();
            assertThat(create("a", users(0, 1))).isEqualTo(new Committed(1));
        }

        @Test
        void refuses_a_gap() {
            assertThatThrownBy(() -> store.load(header("a"), users(1, 2).iterator()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(store.find(A)).isEmpty();
        }
    }
}
