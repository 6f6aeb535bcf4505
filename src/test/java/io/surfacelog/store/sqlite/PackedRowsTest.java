package io.surfacelog.store.sqlite;

import static io.surfacelog.store.SampleLogs.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.EventDraft;
import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventRange.Kind;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packing shows nowhere but in the rows. */
class PackedRowsTest {

    private static final SessionId A = SessionId.of("a");

    @TempDir
    Path directory;

    @Test
    void whatever_the_commits_were_every_read_gives_what_was_written() {
        Seeds.forEach(25, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            List<SessionEvent> log =
                    new ArrayList<>(SessionGenerator.structured(seed).log());
            try (SqliteEventStore store = open("law-" + seed)) {
                store.declare(log.stream()
                        .map(SessionEvent::type)
                        .filter(PackedRowsTest::isAdded)
                        .distinct()
                        .toList());
                store.commit(List.of(SessionWrite.create(header("a"), List.of())));
                int next = 0;
                while (next < log.size()) {
                    int end = Math.min(log.size(), next + 1 + (random.nextInt(4) == 0 ? random.nextInt(40) : 0));
                    store.commit(List.of(SessionWrite.append(A, next, log.subList(next, end), null)));
                    next = end;
                }
                assertThat(store.events(A, EventRange.all())).isEqualTo(log);
                for (int i = 0; i < 40 && !log.isEmpty(); i++) {
                    expectRange(store, log, random);
                }
                assertThat(store.verify(A)).isEmpty();
                assertThat(store.verifyShared()).isEmpty();
            }
        });
    }

    private static boolean isAdded(String type) {
        return !EventTypes.standard().isDeclared(type);
    }

    private static void expectRange(EventStore store, List<SessionEvent> log, SplittableRandom random) {
        int from = random.nextInt(log.size() + 1);
        int to = from + random.nextInt(log.size() + 1 - from);
        Kind kind = List.of(Kind.values()).get(random.nextInt(3));
        long limit = random.nextBoolean() ? Long.MAX_VALUE : 1 + random.nextInt(20);
        List<SessionEvent> expected = log.subList(from, to).stream()
                .filter(event -> switch (kind) {
                    case ALL -> true;
                    case SURFACE -> event.isSurface();
                    case NOT_CHUNK -> !event.type().equals(EventType.ASSISTANT_CHUNK);
                })
                .limit(limit)
                .toList();
        EventRange range = EventRange.of(from, to).kind(kind).limit(limit);
        assertThat(store.events(A, range)).as("%s", range).isEqualTo(expected);
        List<SessionEvent> visited = new ArrayList<>();
        store.forEach(A, range, visited::add);
        assertThat(visited).as("%s, page by page", range).isEqualTo(expected);
        EventSeqs.Builder seqs = EventSeqs.builder();
        expected.forEach(event -> seqs.add(event.seq()));
        assertThat(store.events(A, seqs.build())).isEqualTo(expected);
    }

    @Test
    void a_stream_committed_chunk_by_chunk_takes_as_many_rows_as_one_committed_at_once() throws SQLException {
        List<SessionEvent> log = SessionLogs.oneStep(300);
        try (SqliteEventStore single = open("single");
                SqliteEventStore once = open("once")) {
            single.commit(List.of(SessionWrite.create(header("a"), List.of())));
            for (SessionEvent event : log) {
                single.commit(List.of(SessionWrite.append(A, event.seq(), List.of(event), null)));
            }
            once.commit(List.of(SessionWrite.create(header("a"), log)));
            assertThat(single.events(A, EventRange.all())).isEqualTo(once.events(A, EventRange.all()));
        }
        assertThat(rows("single")).isEqualTo(rows("once")).isLessThan(10);
    }

    @Test
    void a_chunk_is_read_alone_wherever_it_stands_in_its_row() {
        List<SessionEvent> log = SessionLogs.oneStep(5_000);
        try (SqliteEventStore store = open("alone")) {
            store.commit(List.of(SessionWrite.create(header("a"), log)));
            for (int seq = 0; seq < log.size(); seq += 97) {
                assertThat(store.events(A, EventRange.of(seq, seq + 1))).containsExactly(log.get(seq));
                assertThat(store.events(A, EventSeqs.of(seq))).containsExactly(log.get(seq));
            }
        }
    }

    private SqliteEventStore open(String name) {
        return SqliteEventStore.open(SqliteSettings.at(directory.resolve(name + ".db")));
    }

    private long rows(String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(name + ".db"));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM event")) {
            return row.getLong(1);
        }
    }

    /** A turn with one streamed answer. */
    private static final class SessionLogs {

        static List<SessionEvent> oneStep(int chunks) {
            List<EventDraft> drafts = new ArrayList<>();
            drafts.add(EventDraft.of(TurnStart.of(1)));
            drafts.add(EventDraft.of(StepStart.of(1, 1)));
            for (int i = 0; i < chunks; i++) {
                drafts.add(
                        EventDraft.of(AssistantChunk.of(1, 1, StreamChunk.text(0, "word" + i * 7919 % 1_000 + " "))));
            }
            drafts.add(EventDraft.of(
                    AssistantMessage.of(1, 1, Message.assistant("provider", "model", TextBlock.of("all of it"))),
                    SurfaceIntent.append()));
            List<SessionEvent> log = new ArrayList<>();
            drafts.forEach(draft -> log.add(draft.toEvent(log.size(), 1_000 + 3L * log.size())));
            return log;
        }
    }
}
