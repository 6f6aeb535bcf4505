package io.surfacelog.bench;

import io.surfacelog.command.CommandSettings;
import io.surfacelog.command.ImportSession;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import io.surfacelog.stream.EventDispatcher;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.LongSession;
import io.surfacelog.transfer.JsonlLine;
import io.surfacelog.transfer.JsonlReader;
import io.surfacelog.transfer.JsonlWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Measures a store that holds one long and one short session, once each with its counterpart, in one run. What it prints
 * are ratios and sizes; times of one machine mean little elsewhere.
 */
final class StoreMeasurements {

    private static final long EVENTS = Long.getLong("surfacelog.bench.events", 1_000_000);
    /** Both ways in turn, so that a busy moment meets both. The first round still compiles what imports; the row inserts nearly nothing. */
    private static final int ROUNDS = 5;

    private static final SessionId LONG = SessionId.of("long");
    private static final SessionId SHORT = SessionId.of("short");
    private static final String PRAGMAS =
            "?journal_mode=WAL&synchronous=FULL&busy_timeout=5000&transaction_mode=IMMEDIATE&foreign_keys=true";

    private final Path directory;

    private StoreMeasurements(Path directory) {
        this.directory = directory;
    }

    public static void main(String[] args) throws Exception {
        Measurement.run(directory -> new StoreMeasurements(directory).run());
    }

    private void run() throws Exception {
        writeFile(LONG, EVENTS);
        writeFile(SHORT, 6_000);
        // both once on the short file, so that neither is the first to be compiled
        importFiles("warm-up.db", SHORT);
        rowPerEvent(SHORT, "warm-up-rows.db");
        double[] ours = new double[ROUNDS];
        double[] rows = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            String name = "ours-" + round + ".db";
            // making a store is not what is measured, and the file of the other way is made for next to nothing
            open(name).close();
            ours[round] = seconds(() -> importFiles(name, LONG));
            rows[round] = rowPerEvent(LONG, "rows-" + round + ".db");
        }
        double[] ratios = IntStream.range(0, ROUNDS)
                .mapToDouble(round -> ours[round] / rows[round])
                .toArray();
        Measurement.say(
                "import of %,d events against one row each: %.2f in the middle of %s (%.1f s against %.1f s)",
                EVENTS,
                middle(ratios),
                Arrays.stream(ratios).mapToObj("%.2f"::formatted).collect(Collectors.joining(", ")),
                middle(ours),
                middle(rows));
        importFiles("ours-0.db", SHORT);
        try (EventStore store = open("ours-0.db")) {
            reading(store);
        }
        double bytes = Files.size(directory.resolve("ours-0.db"));
        Measurement.say(
                "database: %.1f bytes an event, one row each %.1f",
                bytes / (EVENTS + 6_000), (double) Files.size(directory.resolve("rows-0.db")) / EVENTS);
    }

    private void reading(EventStore store) throws Exception {
        try (SurfaceProjection projection = new SurfaceProjection(store, 10)) {
            projection.surface(LONG);
            projection.surface(SHORT);
        }
        long[] read = {0};
        double whole = seconds(() -> {
            store.forEach(LONG, EventRange.all(), event -> read[0]++);
            return read;
        });
        double cold = median(7, () -> {
            try (SurfaceProjection projection = new SurfaceProjection(store, 10)) {
                return SessionQueries.of(store, projection).messages(LONG).size();
            }
        });
        Measurement.say(
                "cold open to messages against reading the whole log: 1/%.0f (%.1f ms against %.0f ms)",
                whole / cold, 1e3 * cold, 1e3 * whole);
        EventRange longTail = tail(store, LONG);
        EventRange shortTail = tail(store, SHORT);
        Measurement.say(
                "tail of 50, long against short log: %.2f",
                median(2_000, () -> store.events(LONG, longTail))
                        / median(2_000, () -> store.events(SHORT, shortTail)));
        long tail = store.find(LONG).orElseThrow().nextSeq();
        EventSeqs inLong = chunkBehind(store, LONG, tail / 2);
        EventSeqs inShort = chunkBehind(store, SHORT, 3_000);
        Measurement.say(
                "one event by seq, long against short log: %.2f",
                median(2_000, () -> store.events(LONG, inLong)) / median(2_000, () -> store.events(SHORT, inShort)));
        Measurement.say(
                "memory of an open session for each node: %,.0f bytes of %,d events, %,.0f of 6,000",
                bytesPerNode(store, LONG), tail, bytesPerNode(store, SHORT));
    }

    /** The last fifty events of the last whole turn: what they are, and how they are packed, is the same in every session. */
    private static EventRange tail(EventStore store, SessionId id) {
        long next = store.find(id).orElseThrow().nextSeq();
        long end = store.events(id, EventRange.of(next - 200, next)).stream()
                .filter(event -> event.type().equals(EventType.TURN_END))
                .mapToLong(event -> event.seq() + 1)
                .max()
                .orElseThrow();
        return EventRange.of(end - 50, end);
    }

    /** The middle one of the chunks of the first turn that begins there or behind: the same place of a row in every session. */
    private static EventSeqs chunkBehind(EventStore store, SessionId id, long from) {
        List<SessionEvent> events = store.events(id, EventRange.of(from, from + 200));
        int at = 0;
        while (!events.get(at).type().equals(EventType.TURN_START)) {
            at++;
        }
        return EventSeqs.of(events.get(at + 28).seq());
    }

    private static double bytesPerNode(EventStore store, SessionId id) {
        try (SurfaceProjection projection = new SurfaceProjection(store, 10)) {
            System.gc();
            long before = used();
            Surface surface = projection.surface(id);
            System.gc();
            return (double) (used() - before) / surface.nodes().size();
        }
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private Path file(SessionId id) {
        return directory.resolve(id + ".jsonl");
    }

    private void writeFile(SessionId id, long events) throws IOException {
        try (OutputStream out = Files.newOutputStream(file(id));
                JsonlWriter writer = JsonlWriter.open(out, header(id))) {
            Iterator<SessionEvent> session = new LongSession(events);
            while (session.hasNext()) {
                writer.write(session.next());
            }
        }
    }

    private static SessionHeader header(SessionId id) {
        return SessionHeader.builder().id(id).createdAt(1).build();
    }

    private EventStore open(String name) {
        return SqliteEventStore.open(SqliteSettings.at(directory.resolve(name)));
    }

    private Object importFiles(String name, SessionId... ids) throws Exception {
        try (EventStore store = open(name);
                SurfaceProjection projection = new SurfaceProjection(store, 10);
                SessionCommands commands = SessionCommands.of(
                        store,
                        projection,
                        new EventDispatcher(store, 1),
                        CommandSettings.defaults(),
                        List.of(),
                        Clock.systemUTC())) {
            for (SessionId id : ids) {
                try (JsonlReader reader = JsonlReader.open(file(id), EventLimits.defaults())) {
                    commands.importLog(new ImportSession(reader.header(), candidates(reader), EventTypes.standard()));
                }
            }
            return store;
        }
    }

    private static Iterator<EventCandidate> candidates(JsonlReader reader) {
        return new Iterator<>() {

            private Iterator<EventCandidate> line = List.<EventCandidate>of().iterator();

            @Override
            public boolean hasNext() {
                while (!line.hasNext()) {
                    JsonlLine next = read();
                    if (next == null) {
                        return false;
                    }
                    line = next.events().iterator();
                }
                return true;
            }

            private @Nullable JsonlLine read() {
                try {
                    return reader.next();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public EventCandidate next() {
                return line.next();
            }
        };
    }

    /** What the import is measured against: the same columns, one row for each event, made before; gives seconds. */
    private double rowPerEvent(SessionId id, String name) throws SQLException {
        List<SessionEvent> events = new ArrayList<>();
        new LongSession(id.equals(LONG) ? EVENTS : 6_000).forEachRemaining(events::add);
        events.forEach(event -> event.data().text());
        long started = System.nanoTime();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(name) + PRAGMAS);
                Statement create = connection.createStatement()) {
            create.execute("CREATE TABLE event (session INTEGER NOT NULL, seq INTEGER NOT NULL, n INTEGER NOT NULL,"
                    + " type TEXT NOT NULL, time ANY NOT NULL, ignorable INTEGER NOT NULL, surface_op TEXT,"
                    + " source_event_seqs TEXT, checksum INTEGER NOT NULL, data ANY NOT NULL,"
                    + " PRIMARY KEY (session, seq)) STRICT, WITHOUT ROWID");
            connection.setAutoCommit(false);
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO event VALUES (1, ?, 1, ?, ?, 0, ?, ?, 0, ?)")) {
                for (SessionEvent event : events) {
                    insert.setLong(1, event.seq());
                    insert.setString(2, event.type());
                    insert.setLong(3, event.time());
                    insert.setString(4, event.isSurface() ? "append" : null);
                    insert.setString(
                            5,
                            event.intent()
                                    .map(intent -> intent.sourcesOrNone().toText())
                                    .orElse(null));
                    insert.setString(6, event.data().text());
                    insert.addBatch();
                    if (event.seq() % 1_000 == 999) {
                        insert.executeBatch();
                    }
                }
                insert.executeBatch();
            }
            connection.commit();
        }
        return (System.nanoTime() - started) / 1e9;
    }

    private static double median(int times, Callable<?> work) throws Exception {
        double[] seconds = new double[times];
        for (int i = 0; i < times; i++) {
            seconds[i] = seconds(work);
        }
        return middle(seconds);
    }

    private static double middle(double[] values) {
        return Arrays.stream(values).sorted().toArray()[values.length / 2];
    }

    private static double seconds(Callable<?> work) throws Exception {
        long started = System.nanoTime();
        if (work.call() == null) {
            throw new IllegalStateException("nothing was done");
        }
        return (System.nanoTime() - started) / 1e9;
    }
}
