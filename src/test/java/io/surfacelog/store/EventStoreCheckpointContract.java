package io.surfacelog.store;

import static io.surfacelog.store.SampleLogs.chunk;
import static io.surfacelog.store.SampleLogs.header;
import static io.surfacelog.store.SampleLogs.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.WriteOutcome.Committed;
import io.surfacelog.store.WriteOutcome.TailMoved;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What every backend promises about checkpoints, and about reading events by their seqs; see {@link EventStoreContract}. */
public abstract class EventStoreCheckpointContract extends StoreFixture {

    private static StoredCheckpoint after(long nextSeq, String state) {
        return new StoredCheckpoint(nextSeq, state.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    }

    private static SessionWrite write(
            SessionId id,
            @Nullable SessionHeader create,
            long expectedNextSeq,
            List<SessionEvent> events,
            Map<String, KeyedAppend> keys,
            StoredCheckpoint checkpoint) {
        return new SessionWrite(id, create, null, expectedNextSeq, events, keys, checkpoint, null);
    }

    @Nested
    class ACheckpoint {

        @Test
        void is_given_back_byte_for_byte() {
            create("a", users(0, 3));
            byte[] all = new byte[100_000];
            new Random(3).nextBytes(all);
            for (byte[] state : List.of(new byte[0], new byte[] {0}, all)) {
                assertThat(store.saveCheckpoint(A, new StoredCheckpoint(3, state)))
                        .isTrue();
                assertThat(store.checkpoint(A)).contains(new StoredCheckpoint(3, state));
            }
        }

        @Test
        void is_not_there_at_first_nor_for_another_session_nor_for_none() {
            create("a", users(0, 3));
            create("b", users(0, 3));
            store.saveCheckpoint(A, after(2, "x"));
            assertThat(store.checkpoint(B)).isEmpty();
            assertThat(store.checkpoint(SessionId.of("nobody"))).isEmpty();
            store.saveCheckpoint(B, after(1, "y"));
            assertThat(store.checkpoint(A)).contains(after(2, "x"));
        }

        @Test
        void takes_the_place_of_an_older_one_or_one_as_old_but_not_of_a_newer() {
            create("a", users(0, 9));
            assertThat(store.saveCheckpoint(A, after(4, "first"))).isTrue();
            assertThat(store.saveCheckpoint(A, after(7, "newer"))).isTrue();
            assertThat(store.saveCheckpoint(A, after(5, "late"))).isFalse();
            assertThat(store.checkpoint(A)).contains(after(7, "newer"));
            assertThat(store.saveCheckpoint(A, after(7, "again"))).isTrue();
            assertThat(store.checkpoint(A)).contains(after(7, "again"));
        }

        @Test
        void is_kept_up_to_the_tail_and_not_beyond() {
            create("a", users(0, 3));
            assertThat(store.saveCheckpoint(A, after(4, "beyond"))).isFalse();
            assertThat(store.saveCheckpoint(A, after(Long.MAX_VALUE, "beyond"))).isFalse();
            assertThat(store.checkpoint(A)).isEmpty();
            assertThat(store.saveCheckpoint(A, after(3, "at it"))).isTrue();
            assertThat(store.saveCheckpoint(SessionId.of("nobody"), after(0, "x")))
                    .isFalse();
        }

        @Test
        void of_an_empty_log_is_one() {
            create("a", List.of());
            assertThat(store.saveCheckpoint(A, after(0, "x"))).isTrue();
            assertThat(store.checkpoint(A)).contains(after(0, "x"));
        }

        @Test
        void is_dropped_and_can_then_be_saved_again_older() {
            create("a", users(0, 5));
            store.saveCheckpoint(A, after(5, "x"));
            store.dropCheckpoints(A);
            assertThat(store.checkpoint(A)).isEmpty();
            store.dropCheckpoints(A);
            store.dropCheckpoints(SessionId.of("nobody"));
            assertThat(store.saveCheckpoint(A, after(2, "older"))).isTrue();
            assertThat(store.checkpoint(A)).contains(after(2, "older"));
        }

        @Test
        void is_no_event_and_no_commit() {
            create("a", users(0, 5));
            store.saveCheckpoint(A, after(5, "x"));
            assertThat(store.lastPosition()).isEqualTo(1);
            assertThat(store.find(A).orElseThrow().nextSeq()).isEqualTo(5);
            assertThat(append(A, null, users(5, 1))).isEqualTo(new Committed(2));
            assertThat(store.checkpoint(A)).contains(after(5, "x"));
        }
    }

    @Nested
    class ACheckpointInAWrite {

        @Test
        void is_there_with_the_events_in_the_place_of_any_other() {
            commit(write(A, header("a"), 0, users(0, 2), Map.of(), after(2, "created")));
            assertThat(store.checkpoint(A)).contains(after(2, "created"));
            commit(write(A, null, 2, users(2, 2), Map.of("k", new KeyedAppend(2, 2)), after(4, "appended")));
            assertThat(store.checkpoint(A)).contains(after(4, "appended"));
            append(A, null, users(4, 1));
            assertThat(store.checkpoint(A)).contains(after(4, "appended"));
            commit(write(B, header("b"), 0, List.of(), Map.of(), after(0, "empty")));
            assertThat(store.checkpoint(B)).contains(after(0, "empty"));
        }

        @Test
        void is_not_there_without_its_events() {
            create("a", users(0, 2));
            SessionWrite moved = write(A, null, 1, users(1, 2), Map.of(), after(3, "x"));
            assertThat(commit(moved)).isEqualTo(new TailMoved(2));
            SessionWrite unknown = write(B, null, 1, users(1, 2), Map.of(), after(3, "x"));
            assertThat(commit(unknown)).isEqualTo(new WriteOutcome.NoSuchSession());
            assertThat(store.checkpoint(A)).isEmpty();
            assertThat(store.checkpoint(B)).isEmpty();
        }

        @Test
        void of_several_writes_of_a_commit_the_last_stays() {
            store.commit(List.of(
                    write(A, header("a"), 0, users(0, 1), Map.of(), after(1, "one")),
                    write(A, null, 1, users(1, 1), Map.of(), after(2, "two")),
                    SessionWrite.append(A, 2, List.of(chunk(2)), null)));
            assertThat(store.checkpoint(A)).contains(after(2, "two"));
        }

        @Test
        void stands_for_all_events_of_the_log_and_the_write() {
            assertThatThrownBy(() -> write(A, null, 2, users(2, 2), Map.of(), after(3, "x")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Nested
    class EventsBySeq {

        @Test
        void are_those_asked_for_in_that_order() {
            List<SessionEvent> log = SampleLogs.random(new Random(11), 0, 300);
            create("a", log);
            create("b", users(0, 20));
            Random random = new Random(12);
            for (int round = 0; round < 100; round++) {
                EventSeqs.Builder seqs = EventSeqs.builder();
                List<SessionEvent> expected = new ArrayList<>();
                for (int i = random.nextInt(30); i > 0; i--) {
                    int first = random.nextInt(300);
                    int last = random.nextBoolean() ? first : Math.min(299, first + random.nextInt(20));
                    seqs.addRange(first, last);
                    expected.addAll(log.subList(first, last + 1));
                }
                assertThat(store.events(A, seqs.build())).isEqualTo(expected);
            }
        }

        @Test
        void can_be_very_many() {
            List<SessionEvent> log = users(0, 5_000);
            create("a", log);
            EventSeqs.Builder even = EventSeqs.builder();
            for (int seq = 0; seq < 5_000; seq += 2) {
                even.add(seq);
            }
            assertThat(store.events(A, even.build()))
                    .extracting(SessionEvent::seq)
                    .isEqualTo(even.build().stream().boxed().toList());
        }

        @Test
        void that_are_not_there_are_refused() {
            create("a", users(0, 3));
            assertThat(store.events(A, EventSeqs.NONE)).isEmpty();
            assertThatThrownBy(() -> store.events(A, EventSeqs.of(1, 3))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> store.events(A, EventSeqs.range(1, 3)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> store.events(B, EventSeqs.of(0))).isInstanceOf(UnknownSessionException.class);
            assertThatThrownBy(() -> store.events(B, EventSeqs.NONE)).isInstanceOf(UnknownSessionException.class);
        }
    }

    @Nested
    class Closed {

        @Test
        void refuses_these_as_everything() {
            create("a", users(0, 1));
            store.close();
            List<Runnable> uses = List.of(
                    () -> store.checkpoint(A),
                    () -> store.saveCheckpoint(A, after(1, "x")),
                    () -> store.dropCheckpoints(A),
                    () -> store.events(A, EventSeqs.of(0)));
            for (Runnable use : uses) {
                assertThatThrownBy(use::run).isInstanceOf(StoreUnavailableException.class);
            }
        }
    }
}
