package io.surfacelog.store.sqlite;

import io.surfacelog.event.EventType;
import io.surfacelog.event.JsonText;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.LeaseHolder;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.LeaseRequest;
import io.surfacelog.store.SampleLogs;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.store.StoredCheckpoint;
import io.surfacelog.store.SubscriptionRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A database small enough to try everything on: odd ids, several types, a replace, keys, odd types, leases, forks, a
 * kept prefix, a durable subscription.
 */
final class SmallStore {

    static final SessionId PLAIN = SessionId.of("a");
    static final SessionId ODD = SessionId.of("\ud800\u0000");
    static final SessionId THIRD = SessionId.of("b");
    /** Forked from {@link #PLAIN}, which is there. */
    static final SessionId FORK = SessionId.of("f");

    /** Forked from a session that was deleted, inside a packed row. */
    static final SessionId ORPHAN = SessionId.of("o");

    static final String KEY = "k";
    static final String ODD_KEY = "\"k\u0000";

    private SmallStore() {}

    /** Creates the file, closed and without a write-ahead log. */
    static void create(Path file) {
        try (EventStore store =
                SqliteEventStore.open(SqliteSettings.at(file).pageSize(512).readConnections(1))) {
            store.declare(List.of("x/y", "odd\u0000"));
            store.commit(List.of(SessionWrite.create(header(PLAIN).build(), List.of())));
            store.commit(List.of(
                    SessionWrite.append(PLAIN, 0, List.of(event(0, "turn/start", null), user(1, "hi"), chunk(2)), KEY),
                    SessionWrite.create(header(ODD).parentSession(PLAIN).build(), List.of(user(0, "\ud800")))));
            store.commit(List.of(SessionWrite.create(header(THIRD).build(), List.of(user(0, "b")))));
            store.commit(List.of(
                    SessionWrite.append(
                            PLAIN,
                            3,
                            List.of(
                                    SampleLogs.user(
                                            3, "x", SurfaceIntent.replace(1, 1).citing(1, 2)),
                                    event(4, "odd\u0000", null)),
                            null),
                    SessionWrite.append(ODD, 1, List.of(chunk(1)), ODD_KEY)));
            LeaseHolder holder = new LeaseHolder("o", "h\u0000", null);
            for (SessionId id : List.of(PLAIN, ODD)) {
                store.takeLease(LeaseRequest.by(holder, id, LeasePurpose.DRIVER, 7, Duration.ofMillis(9)));
            }
            store.takeLease(LeaseRequest.by(null, PLAIN, LeasePurpose.COMPACTION, 7, Duration.ofMillis(9)));
            store.takeSubscription(new SubscriptionRequest("n", null, 3, 1, 7, Duration.ofMillis(9)));
            SessionId gone = SessionId.of("g");
            store.commit(List.of(
                    SessionWrite.fork(header(FORK).build(), PLAIN, 3, List.of(user(3, "f"))),
                    SessionWrite.create(
                            header(gone).build(), List.of(user(0, "g"), chunk(1), chunk(2), chunk(3), chunk(5 - 1))),
                    SessionWrite.fork(header(ORPHAN).build(), gone, 4, List.of(user(4, "o")))));
            store.delete(gone);
            store.saveCheckpoint(THIRD, new StoredCheckpoint(1, new byte[] {1, 0, 7}));
            store.reclaim();
        }
    }

    private static SessionHeader.Builder header(SessionId id) {
        return SessionHeader.builder().id(id).createdAt(7);
    }

    private static SessionEvent user(long seq, String text) {
        return SampleLogs.user(seq, text);
    }

    private static SessionEvent chunk(long seq) {
        return event(seq, EventType.ASSISTANT_CHUNK, null);
    }

    private static SessionEvent event(long seq, String type, SurfaceIntent intent) {
        return SessionEvent.of(seq, 1_700_000_000_000L, type, JsonText.ofCompact("{\"turn\":1}"), intent, seq == 4);
    }

    static void copy(Path from, Path to) {
        try {
            Files.write(to, Files.readAllBytes(from));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
