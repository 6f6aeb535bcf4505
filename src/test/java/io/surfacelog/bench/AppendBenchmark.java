package io.surfacelog.bench;

import io.surfacelog.command.CommandSettings;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import io.surfacelog.stream.EventDispatcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.util.FileSystemUtils;

/**
 * A durable append of a turn of eight events, against a raw prepared batch of the same rows with the same pragmas into a
 * table of the same columns. Both make the events anew for every turn; every thousand turns a new session begins.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 3)
public class AppendBenchmark {

    private static final int TURNS_PER_SESSION = 1_000;
    private static final int IN_TURN = 64;

    private SessionId id = SessionId.of("bench");
    private Path directory;
    private EventStore store;
    private SessionCommands commands;
    private Connection raw;
    private PreparedStatement insert;
    private long turn;
    private long nextSeq;
    private long rawTurn;
    private long rawSeq;

    @Setup
    public void open() throws IOException, SQLException {
        directory = Files.createTempDirectory("surfacelog-bench");
        store = SqliteEventStore.open(SqliteSettings.at(directory.resolve("ours.db")));
        commands = SessionCommands.of(
                store,
                new SurfaceProjection(store, 10),
                new EventDispatcher(store, 16),
                CommandSettings.defaults(),
                List.of(),
                Clock.systemUTC());
        commands.create(SessionHeader.builder().id(id).build());
        raw = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("raw.db")
                + "?journal_mode=WAL&synchronous=FULL&busy_timeout=5000&transaction_mode=IMMEDIATE&foreign_keys=true");
        try (Statement create = raw.createStatement()) {
            create.execute("""
                CREATE TABLE event (
                    key INTEGER PRIMARY KEY, n INTEGER NOT NULL, type TEXT NOT NULL, time ANY NOT NULL,
                    ignorable INTEGER NOT NULL, data TEXT NOT NULL, surface_op TEXT, source_event_seqs TEXT,
                    checksum INTEGER NOT NULL
                ) STRICT""");
        }
        raw.setAutoCommit(false);
        insert = raw.prepareStatement("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    }

    private void append() {
        turn++;
        if (turn > TURNS_PER_SESSION) {
            id = commands.create(SessionHeader.builder().build());
            turn = 1;
            nextSeq = 0;
        }
        nextSeq = commands.appendAll(id, Turns.eight(turn, nextSeq)).nextSeq();
    }

    private void rawBatch() throws SQLException {
        rawTurn++;
        for (EventDraft draft : Turns.eight(rawTurn, rawSeq)) {
            SessionEvent event = draft.toEvent(rawSeq, rawTurn);
            insert.setLong(1, 1L << 32 | rawSeq);
            insert.setInt(2, 1);
            insert.setString(3, event.type());
            insert.setLong(4, event.time());
            insert.setInt(5, 0);
            insert.setString(6, event.data().text());
            insert.setString(
                    7,
                    event.intent()
                            .map(intent -> intent.isAppend() ? "append" : "")
                            .orElse(null));
            insert.setString(
                    8,
                    event.intent()
                            .map(intent -> intent.sourcesOrNone().toText())
                            .orElse(null));
            insert.setLong(9, 0);
            insert.addBatch();
            rawSeq++;
        }
        insert.executeBatch();
        raw.commit();
    }

    /**
     * Both ways in turns of {@value #IN_TURN}, so that what disturbs the machine disturbs both: a disk can sync half as fast a
     * minute later. The score is the time of one append and one raw batch; the sums of {@link Spent} are what to compare.
     */
    @Benchmark
    @OperationsPerInvocation(IN_TURN)
    public void appendAndRawBatch(Spent spent) throws SQLException {
        long started = System.nanoTime();
        for (int i = 0; i < IN_TURN; i++) {
            append();
        }
        long between = System.nanoTime();
        for (int i = 0; i < IN_TURN; i++) {
            rawBatch();
        }
        spent.append += between - started;
        spent.raw += System.nanoTime() - between;
    }

    /** Nanoseconds of all measured iterations, one way and the other. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Spent {

        public long append;
        public long raw;
    }

    @TearDown
    public void close() throws IOException, SQLException {
        commands.close();
        store.close();
        raw.close();
        FileSystemUtils.deleteRecursively(directory);
    }
}
