package io.surfacelog.store;

import static io.surfacelog.store.SampleLogs.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A store of its own for each test of a contract, which must be found undamaged after the test. */
abstract class StoreFixture {

    protected static final SessionId A = SessionId.of("a");
    protected static final SessionId B = SessionId.of("b");

    protected EventStore store;

    /** Opens a new, empty store. */
    protected abstract EventStore openEmpty() throws Exception;

    @BeforeEach
    void open() throws Exception {
        store = openEmpty();
    }

    @AfterEach
    void nothingIsEverDamagedAndClosingTwiceIsFine() {
        try {
            assertThat(store.verifyShared()).isEmpty();
            for (StoredSession session : store.list(SessionFilter.all()).sessions()) {
                assertThat(store.verify(session.id())).isEmpty();
            }
        } catch (StoreUnavailableException closedByTheTest) {
            assertThat(closedByTheTest.reason()).isEqualTo(StoreUnavailableException.Reason.CLOSED);
        }
        store.close();
        store.close();
    }

    protected final WriteOutcome commit(SessionWrite write) {
        List<WriteOutcome> outcomes = store.commit(List.of(write));
        assertThat(outcomes).hasSize(1);
        return outcomes.get(0);
    }

    protected final WriteOutcome create(String id, List<SessionEvent> events) {
        return commit(SessionWrite.create(header(id), events));
    }

    protected final WriteOutcome append(SessionId id, @Nullable String key, List<SessionEvent> events) {
        return commit(SessionWrite.append(id, events.get(0).seq(), events, key));
    }

    protected final List<Long> seqs(SessionId id, EventRange range) {
        return store.events(id, range).stream().map(SessionEvent::seq).toList();
    }
}
