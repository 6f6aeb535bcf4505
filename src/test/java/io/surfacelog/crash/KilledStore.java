package io.surfacelog.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.CommandStack;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionVerifier;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.StoredCommit;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import io.surfacelog.store.sqlite.SqliteSettings.Synchronous;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceCheckpoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A store whose process was killed, and what must be true of it however often and whenever that was. */
final class KilledStore {

    private final Path file;
    private final List<Acknowledgement> acknowledged = new ArrayList<>();
    private final List<String> declared = new ArrayList<>();

    KilledStore(Path file) {
        this.file = file;
    }

    int acknowledgements() {
        return acknowledged.size();
    }

    /** Takes in what a child has printed before it was killed. */
    void printed(List<String> lines) {
        for (String line : lines) {
            assertThat(line).doesNotStartWith("fault");
            Optional<Acknowledgement> one = Acknowledgement.parse(line);
            one.ifPresent(acknowledged::add);
            if (line.startsWith("declared ")) {
                declared.add(line.substring("declared ".length()));
            }
        }
    }

    EventStore open() {
        return SqliteEventStore.open(SqliteSettings.at(file).synchronous(Synchronous.NORMAL));
    }

    /** Checks everything, and recovers what was left open. */
    void check() {
        try (EventStore store = open()) {
            assertThat(store.verifyShared()).isEmpty();
            assertThat(store.declaredTypes()).containsAll(declared);
            acknowledged.forEach(one -> assertStored(store, one));
            List<SessionId> sessions = store.list(SessionFilter.all().limit(1_000)).sessions().stream()
                    .map(StoredSession::id)
                    .toList();
            try (SurfaceProjection projection = new SurfaceProjection(store, 10)) {
                SessionVerifier verifier = new SessionVerifier(store, projection);
                sessions.forEach(id -> assertSound(store, projection, verifier, id));
            }
            assertBatchesAreWhole(store);
            assertRecoveryIsIdempotent(store, sessions);
        }
    }

    static void assertStored(EventStore store, Acknowledgement one) {
        List<SessionEvent> events = store.events(one.session(), EventRange.of(one.from(), one.to()));
        assertThat(events).as("%s", one).hasSize((int) (one.to() - one.from()));
        assertThat(Acknowledgement.hash(events)).as("%s", one).isEqualTo(one.hash());
    }

    private static void assertSound(
            EventStore store, SurfaceProjection projection, SessionVerifier verifier, SessionId id) {
        assertThat(verifier.verify(id).faults()).isEmpty();
        List<SessionEvent> log = store.events(id, EventRange.all());
        Surface folded = Surface.empty().plan(log).after();
        // with the checkpoint that is stored, if one is, and without
        assertSame(projection.surface(id), folded);
        store.dropCheckpoints(id);
        projection.forget(id);
        assertSame(projection.surface(id), folded);
        if (id.value().equals(Operations.SHARED)) {
            assertThat(Keyed.texts(store, id)).doesNotHaveDuplicates();
        }
    }

    private static void assertSame(Surface surface, Surface folded) {
        assertThat(surface.messages()).isEqualTo(folded.messages());
        assertThat(SurfaceCheckpoint.of(surface).bytes())
                .isEqualTo(SurfaceCheckpoint.of(folded).bytes());
    }

    /** A batch is there wholly, in one commit. */
    private static void assertBatchesAreWhole(EventStore store) {
        long position = 0;
        for (List<StoredCommit> page = store.commits(0, 10_000);
                !page.isEmpty();
                page = store.commits(position, 10_000)) {
            for (StoredCommit commit : page) {
                position = commit.position();
                for (SessionEvent event : store.events(commit.session(), EventRange.of(commit.from(), commit.to()))) {
                    if (event.type().equals(Operations.BATCH)) {
                        JsonObject data = (JsonObject) event.data().value();
                        assertThat(commit.to())
                                .as("%s in %s", event, commit)
                                .isGreaterThanOrEqualTo(
                                        event.seq() + data.longValue("of").orElseThrow());
                    }
                }
            }
        }
    }

    private static void assertRecoveryIsIdempotent(EventStore store, List<SessionId> sessions) {
        try (CommandStack stack =
                CommandStack.on(store).structure(StructureMode.REPORT).start()) {
            for (SessionId id : sessions) {
                stack.commands.recover(id);
                assertThat(stack.commands.recover(id).events()).isEmpty();
                assertThat(stack.queries.surface(id).hasOpenTurn()).isFalse();
            }
        }
    }
}
