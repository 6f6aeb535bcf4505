package io.surfacelog.store;

import static io.surfacelog.store.SampleLogs.chunk;
import static io.surfacelog.store.SampleLogs.header;
import static io.surfacelog.store.SampleLogs.user;
import static io.surfacelog.store.SampleLogs.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What every backend promises about reading; see {@link EventStoreContract}. */
public abstract class EventStoreReadingContract extends StoreFixture {

    @Nested
    class Reading {

        private final List<SessionEvent> log = SampleLogs.random(new Random(4711), 0, 300);

        @Test
        void of_any_range_and_kind_gives_exactly_that() {
            create("a", log);
            create("b", users(0, 50));
            long seed = System.nanoTime();
            Random random = new Random(seed);
            List<Kind> kinds = List.of(Kind.values());
            for (int round = 0; round < 300; round++) {
                long from = random.nextInt(320);
                Kind kind = kinds.get(random.nextInt(kinds.size()));
                long limit = random.nextBoolean() ? Long.MAX_VALUE : 1 + random.nextInt(40);
                EventRange range = new EventRange(from, from + random.nextInt(320), kind, limit);
                List<SessionEvent> expected = log.stream()
                        .filter(event -> event.seq() >= range.from() && event.seq() < range.to())
                        .filter(event -> kind == Kind.ALL
                                || (kind == Kind.SURFACE
                                        ? event.isSurface()
                                        : !event.type().equals("assistant/chunk")))
                        .limit(limit)
                        .toList();
                assertThat(store.events(A, range))
                        .as("seed %d, %s", seed, range)
                        .isEqualTo(expected);
            }
        }

        @Test
        void ends_behind_the_event_that_makes_it_too_large_and_goes_on_there() {
            List<SessionEvent> large = new ArrayList<>();
            for (int seq = 0; seq < 40; seq++) {
                large.add(SampleLogs.user(seq, "x".repeat(seq % 7 == 0 ? 90_000 : 3_000)));
            }
            create("a", large);
            for (Kind kind : Kind.values()) {
                List<SessionEvent> found = new ArrayList<>();
                while (found.size() < large.size()) {
                    List<SessionEvent> page = store.events(
                            A, EventRange.all().from(found.size()).kind(kind).bytes(20_000));
                    long before = page.subList(0, page.size() - 1).stream()
                            .mapToLong(event -> event.data().utf8Bytes())
                            .sum();
                    assertThat(before).as("before the last of a page").isLessThan(20_000);
                    found.addAll(page);
                }
                assertThat(found).isEqualTo(large);
            }
            List<SessionEvent> visited = new ArrayList<>();
            store.forEach(A, EventRange.all().bytes(20_000), visited::add);
            assertThat(visited).isEqualTo(large);
        }

        @Test
        void beyond_the_tail_gives_nothing() {
            create("a", users(0, 3));
            assertThat(store.events(A, EventRange.of(3, 10))).isEmpty();
            assertThat(store.events(A, EventRange.of(1L << 50, Long.MAX_VALUE))).isEmpty();
            assertThat(store.events(A, EventRange.of(1, 1))).isEmpty();
            assertThat(seqs(A, EventRange.all().from(2))).containsExactly(2L);
        }

        @Test
        void never_runs_into_the_next_session() {
            create("a", users(0, 3));
            create("b", users(0, 3));
            assertThat(store.events(A, EventRange.all().kind(Kind.SURFACE))).hasSize(3);
            assertThat(store.events(A, EventRange.all().kind(Kind.NOT_CHUNK))).hasSize(3);
            assertThat(store.events(A, EventRange.all().from((1L << 32) - 1))).isEmpty();
            assertThat(store.events(A, EventRange.all().from(1L << 32))).isEmpty();
        }

        @Test
        void of_an_unknown_session_is_refused_by_name() {
            assertThatThrownBy(() -> store.events(A, EventRange.all()))
                    .isInstanceOfSatisfying(
                            UnknownSessionException.class,
                            e -> assertThat(e.session()).isEqualTo(A))
                    .hasMessageContaining("\"a\"");
            assertThatThrownBy(() -> store.forEach(A, EventRange.all(), event -> {}))
                    .isInstanceOf(UnknownSessionException.class);
            assertThatThrownBy(() -> store.verify(A)).isInstanceOf(UnknownSessionException.class);
            assertThat(store.find(A)).isEmpty();
        }

        @Test
        void page_by_page_visits_each_event_once() {
            List<SessionEvent> longer = SampleLogs.random(new Random(7), 0, 2_500);
            create("a", longer);
            for (Kind kind : Kind.values()) {
                EventRange range =
                        EventRange.all().from(3).to(2_400).kind(kind).limit(kind == Kind.ALL ? 2_100 : Long.MAX_VALUE);
                List<SessionEvent> visited = new ArrayList<>();
                store.forEach(A, range, visited::add);
                assertThat(visited).isEqualTo(store.events(A, range));
            }
        }

        @Test
        void page_by_page_lets_the_action_write() {
            create("a", users(0, 3));
            store.forEach(A, EventRange.of(0, 3), event -> append(A, null, users(event.seq() + 3, 1)));
            assertThat(seqs(A, EventRange.all())).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
        }

        @Test
        void counts_surface_events() {
            create("a", log);
            assertThat(store.find(A).orElseThrow().surfaceEvents())
                    .isEqualTo(log.stream().filter(SessionEvent::isSurface).count());
        }
    }

    @Nested
    class Listing {

        private void createAt(String id, long createdAt, @Nullable String parent) {
            SessionHeader.Builder header =
                    SessionHeader.builder().id(SessionId.of(id)).createdAt(createdAt);
            if (parent != null) {
                header.parentSession(SessionId.of(parent));
            }
            commit(SessionWrite.create(header.build(), List.of()));
        }

        private List<String> ids(SessionFilter filter) {
            List<String> ids = new ArrayList<>();
            OptionalLong next = OptionalLong.of(filter.before());
            while (next.isPresent()) {
                SessionPage page = store.list(filter.before(next.getAsLong()));
                assertThat(page.sessions()).hasSizeLessThanOrEqualTo(filter.limit());
                page.sessions().forEach(session -> ids.add(session.id().value()));
                next = page.next();
            }
            return ids;
        }

        @Test
        void gives_the_newest_first_page_by_page() {
            IntStream.range(0, 25).forEach(i -> createAt("s" + i, 1_000 - i, null));
            List<String> expected =
                    IntStream.range(0, 25).mapToObj(i -> "s" + (24 - i)).toList();
            for (int limit : new int[] {1, 5, 24, 25, 26, 1_000}) {
                assertThat(ids(SessionFilter.all().limit(limit)))
                        .as("pages of %d", limit)
                        .isEqualTo(expected);
            }
            assertThat(store.list(SessionFilter.all().limit(25)).next()).isEmpty();
        }

        @Test
        void gives_nothing_from_an_empty_store() {
            assertThat(store.list(SessionFilter.all())).isEqualTo(new SessionPage(List.of(), OptionalLong.empty()));
        }

        @Test
        void filters_by_id_parent_and_time() {
            createAt("apple", 10, null);
            createAt("pear", 20, "apple");
            createAt("grape%_\u0000", 30, "apple");
            createAt("APPLE", 40, "\ud800");
            assertThat(ids(SessionFilter.all().idContaining("ap").limit(1))).containsExactly("grape%_\u0000", "apple");
            assertThat(ids(SessionFilter.all().idContaining("%_\u0000"))).containsExactly("grape%_\u0000");
            assertThat(ids(SessionFilter.all().idContaining("%"))).containsExactly("grape%_\u0000");
            assertThat(ids(SessionFilter.all().idContaining("\""))).isEmpty();
            assertThat(ids(SessionFilter.all().idContaining(""))).hasSize(4);
            assertThat(ids(SessionFilter.all().childrenOf("apple"))).containsExactly("grape%_\u0000", "pear");
            assertThat(ids(SessionFilter.all().childrenOf("\ud800"))).containsExactly("APPLE");
            assertThat(ids(SessionFilter.all().childrenOf("nobody"))).isEmpty();
            assertThat(ids(SessionFilter.all().createdBetween(20, 40))).containsExactly("grape%_\u0000", "pear");
            assertThat(ids(SessionFilter.all()
                            .createdBetween(20, 40)
                            .childrenOf("apple")
                            .idContaining("e")
                            .limit(1)))
                    .containsExactly("grape%_\u0000", "pear");
        }

        @Test
        void shows_tails_and_counts_as_they_are_now() {
            create("a", users(0, 2));
            append(A, null, List.of(chunk(2), user(3, "x")));
            assertThat(store.list(SessionFilter.all()).sessions())
                    .containsExactly(new StoredSession(header("a"), 4, 3, 1));
        }
    }

    @Nested
    class TheGlobalOrder {

        @Test
        void gives_each_commit_once_in_order() {
            create("a", users(0, 1));
            create("b", List.of());
            append(A, null, users(1, 2));
            append(A, null, users(9, 2));
            append(B, null, users(0, 1));
            List<StoredCommit> all = List.of(
                    new StoredCommit(1, A, 0, 1),
                    new StoredCommit(2, B, 0, 0),
                    new StoredCommit(3, A, 1, 3),
                    new StoredCommit(4, B, 0, 1));
            assertThat(store.commits(0, 100)).isEqualTo(all);
            assertThat(store.commits(-5, 100)).isEqualTo(all);
            assertThat(store.commits(1, 2)).isEqualTo(all.subList(1, 3));
            assertThat(store.commits(4, 2)).isEmpty();
            assertThat(store.commits(Long.MAX_VALUE, 2)).isEmpty();
            assertThat(store.lastPosition()).isEqualTo(4);
            assertThatThrownBy(() -> store.commits(0, 0)).isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void is_empty_at_first() {
            assertThat(store.lastPosition()).isZero();
            assertThat(store.commits(0, 1)).isEmpty();
        }
    }

    @Nested
    class DeclaredTypes {

        @Test
        void are_kept_without_those_of_the_format() {
            assertThat(store.declaredTypes()).isEmpty();
            store.declare(List.of("billing/cost", "turn/start", "hook/any"));
            store.declare(Set.of("billing/cost", "odd\u0000\ud800", "\"x"));
            store.declare(List.of());
            assertThat(store.declaredTypes()).containsExactlyInAnyOrder("billing/cost", "odd\u0000\ud800", "\"x");
        }

        @Test
        void have_a_name() {
            assertThatThrownBy(() -> store.declare(List.of("ok/type", "")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(store.declaredTypes()).isEmpty();
        }
    }
}
