package io.surfacelog.store;

import static io.surfacelog.store.SampleLogs.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.SessionId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a backend has to do for subscriptions: the commits of one session, and positions that are kept. */
public abstract class EventStoreSubscriptionContract extends StoreFixture {

    private static final Duration TEN = Duration.ofMillis(10);

    private static SubscriptionRequest request(@Nullable SessionId session, long now) {
        return new SubscriptionRequest("n", session, 7, 3, now, TEN);
    }

    @Test
    void the_commits_of_a_session_are_those_of_the_global_order_that_are_its() {
        create("a", users(0, 2));
        create("b", users(0, 1));
        append(A, null, users(2, 1));
        append(B, null, users(1, 3));
        append(A, null, users(3, 1));
        for (SessionId id : List.of(A, B, SessionId.of("none"))) {
            for (long after = -1; after <= 6; after++) {
                List<StoredCommit> expected = store.commits(after, 100).stream()
                        .filter(commit -> commit.session().equals(id))
                        .toList();
                assertThat(store.commits(id, after, 100)).isEqualTo(expected);
                assertThat(store.commits(id, after, 1))
                        .isEqualTo(expected.stream().limit(1).toList());
            }
        }
        store.delete(A);
        assertThat(store.commits(A, 0, 100)).isEmpty();
        create("a", List.of());
        assertThat(store.commits(A, 0, 100)).containsExactly(new StoredCommit(6, A, 0, 0));
    }

    @Test
    void a_subscription_begins_once_and_goes_on_where_it_was_left() {
        assertThat(store.subscription("n")).isEmpty();
        StoredSubscription first = store.takeSubscription(request(null, 1_000)).orElseThrow();
        assertThat(first).isEqualTo(new StoredSubscription("n", 0, 7, 3, first.token(), 1_000, 1_010));
        assertThat(store.moveSubscription(first.at(9, StoredSubscription.WHOLE).letGo(1_005)))
                .isTrue();
        StoredSubscription second = store.takeSubscription(request(null, 1_006)).orElseThrow();

        assertThat(second)
                .isEqualTo(
                        new StoredSubscription("n", 0, 9, StoredSubscription.WHOLE, first.token() + 1, 1_006, 1_016));
        assertThat(store.subscription("n")).contains(second);
    }

    @Test
    void a_subscription_that_is_held_is_not_taken_before_its_time_is_over() {
        store.takeSubscription(request(null, 1_000));
        assertThat(store.takeSubscription(request(null, 1_009))).isEmpty();
        assertThat(store.takeSubscription(request(null, 1_010))).isPresent();
    }

    @Test
    void a_subscription_is_moved_by_who_took_it_last_only() {
        StoredSubscription first = store.takeSubscription(request(null, 1_000)).orElseThrow();
        StoredSubscription second = store.takeSubscription(request(null, 2_000)).orElseThrow();

        assertThat(store.moveSubscription(first.at(50, 1))).isFalse();
        assertThat(store.subscription("n")).contains(second);
        assertThat(store.moveSubscription(second.at(51, 1))).isTrue();
        assertThat(store.subscription("n")).contains(second.at(51, 1));
    }

    @Test
    void a_subscription_that_was_dropped_begins_anew_and_is_moved_by_nobody() {
        StoredSubscription first = store.takeSubscription(request(null, 1_000)).orElseThrow();
        assertThat(store.dropSubscription("n")).isTrue();
        assertThat(store.dropSubscription("n")).isFalse();
        assertThat(store.moveSubscription(first)).isFalse();
        assertThat(store.subscription("n")).isEmpty();
        StoredSubscription anew = store.takeSubscription(request(null, 1_001)).orElseThrow();
        assertThat(store.moveSubscription(first.at(50, 1))).isFalse();
        assertThat(store.subscription("n")).contains(anew);
    }

    @Test
    void a_subscription_is_of_one_session_or_of_all_and_goes_with_its_session() {
        create("a", users(0, 2));
        create("b", users(0, 1));
        store.takeSubscription(request(B, 1_000));
        for (SessionId other : new SessionId[] {A, null}) {
            assertThatThrownBy(() -> store.takeSubscription(request(other, 5_000)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another session");
        }
        assertThatThrownBy(() -> store.takeSubscription(request(SessionId.of("none"), 5_000)))
                .isInstanceOf(UnknownSessionException.class);
        store.delete(A);
        assertThat(store.subscription("n")).isPresent();
        store.erase(B, false);
        assertThat(store.subscription("n")).isEmpty();
    }

    @Test
    void taking_and_moving_a_subscription_has_no_place_in_the_global_order() {
        create("a", users(0, 2));
        long before = store.lastPosition();
        StoredSubscription taken = store.takeSubscription(request(A, 1_000)).orElseThrow();
        store.moveSubscription(taken.at(1, 1));
        store.dropSubscription("n");

        assertThat(store.lastPosition()).isEqualTo(before);
    }
}
