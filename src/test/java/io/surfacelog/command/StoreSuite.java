package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionVerifier;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.projection.VerifyReport;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.StoredSession;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A suite that runs on every backend. After each test, what the store holds must be sound and load by the same admission
 * that let it in, whatever the test did.
 */
@ParameterizedClass(name = "{0}")
@EnumSource(StoreKind.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class StoreSuite {

    @Parameter
    StoreKind kind;

    @TempDir
    Path directory;

    private EventStore store;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @BeforeEach
    void openStore() {
        store = kind.open(directory);
    }

    @AfterEach
    void whatIsStoredIsSound() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        try (SurfaceProjection projection = new SurfaceProjection(store, 10)) {
            SessionVerifier verifier = new SessionVerifier(store, projection);
            assertThat(verifier.verifyShared()).isEmpty();
            for (StoredSession session : store.list(SessionFilter.all()).sessions()) {
                VerifyReport report = verifier.verify(session.id());
                assertThat(report.faults()).as(session.id().value()).isEmpty();
                assertThat(report.events()).isEqualTo(session.nextSeq());
            }
        }
        store.close();
    }

    protected final EventStore store() {
        return store;
    }

    /** The same store as another process would have it. */
    protected final EventStore storeOfAnotherProcess() {
        EventStore again = kind.openAgain(store, directory);
        if (again != store) {
            open.push(again);
        }
        return again;
    }

    /** Closed after the test, before its store. */
    protected final CommandStack start(CommandStack.Builder builder) {
        CommandStack stack = builder.start();
        open.push(stack);
        return stack;
    }

    protected final CommandStack start() {
        return start(CommandStack.on(store));
    }

    /** A stack with everything of its own, as another process would have it. */
    protected final CommandStack startAnotherProcess() {
        return start(CommandStack.on(storeOfAnotherProcess()));
    }

    protected final List<SessionEvent> stored(SessionId id) {
        return store.events(id, EventRange.all());
    }

    protected final long storedNextSeq(SessionId id) {
        return store.find(id).orElseThrow().nextSeq();
    }

    protected static SessionHeader header(String id) {
        return SessionHeader.builder().id(SessionId.of(id)).build();
    }

    protected static List<EventCandidate> candidates(List<SessionEvent> log) {
        return log.stream().map(EventCandidate::of).toList();
    }
}
