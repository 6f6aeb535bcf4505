package io.surfacelog.bench;

import io.surfacelog.command.Appended;
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
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how many turns of eight events become durable in a second: one session that waits for each, many sessions that
 * do, one with many turns in flight, and a raw commit for each turn; the rounds of all take turns, so that what disturbs
 * the machine disturbs all. Prints ratios of medians.
 */
final class CommitMeasurements {

    private static final int WARM_UP = 20;
    private static final int ROUNDS = 30;
    private static final int TURNS = 640;

    private final Path directory;

    private CommitMeasurements(Path directory) {
        this.directory = directory;
    }

    public static void main(String[] args) throws Exception {
        Measurement.run(directory -> new CommitMeasurements(directory).run());
    }

    private void run() throws Exception {
        try (Stack plain = new Stack(directory.resolve("plain.db"), 0);
                Stack slow = new Stack(directory.resolve("slow.db"), 1_000_000);
                Raw raw = new Raw(directory.resolve("raw.db"))) {
            Runnable[] ways = {
                () -> raw.turns(TURNS),
                () -> plain.blocking(1, TURNS),
                () -> plain.blocking(32, TURNS),
                () -> plain.inFlight(64, TURNS),
                () -> slow.blocking(1, TURNS / 8),
                () -> slow.blocking(32, TURNS),
                () -> slow.inFlight(64, TURNS),
            };
            double[] turns = {TURNS, TURNS, TURNS, TURNS, TURNS / 8.0, TURNS, TURNS};
            double[][] micros = new double[ways.length][ROUNDS];
            for (int round = -WARM_UP; round < ROUNDS; round++) {
                for (int way = 0; way < ways.length; way++) {
                    plain.begin();
                    slow.begin();
                    long started = System.nanoTime();
                    ways[way].run();
                    if (round >= 0) {
                        micros[way][round] = (System.nanoTime() - started) / 1e3 / turns[way];
                    }
                }
            }
            double[] median = Arrays.stream(micros)
                    .mapToDouble(all -> Arrays.stream(all).sorted().toArray()[ROUNDS / 2])
                    .toArray();
            Measurement.say(
                    "one blocking session against a raw commit per turn: %.2f (%.0f µs against %.0f µs)",
                    median[1] / median[0], median[1], median[0]);
            Measurement.say("32 blocking sessions against one: %.1f times the turns", median[1] / median[2]);
            Measurement.say(
                    "one session with 64 turns in flight against one blocking: %.1f times the turns",
                    median[1] / median[3]);
            Measurement.say(
                    "32 blocking sessions against one, a millisecond added to each commit: %.1f times",
                    median[4] / median[5]);
            Measurement.say(
                    "64 turns in flight against one blocking, a millisecond added: %.1f times", median[4] / median[6]);
        }
    }

    /** A store with its commands; each commit can be made to take longer. */
    private static final class Stack implements AutoCloseable {

        private final EventStore store;
        private final SurfaceProjection projection;
        private final SessionCommands commands;
        private final List<SessionId> ids = new ArrayList<>();
        private final long[] turn = new long[32];
        private final long[] next = new long[32];
        private final ExecutorService threads = Executors.newFixedThreadPool(32);

        Stack(Path file, long nanosPerCommit) {
            store = slowed(SqliteEventStore.open(SqliteSettings.at(file)), nanosPerCommit);
            projection = new SurfaceProjection(store, 100);
            commands = SessionCommands.of(
                    store,
                    projection,
                    new EventDispatcher(store, 16),
                    CommandSettings.defaults(),
                    List.of(),
                    Clock.systemUTC());
        }

        /** New sessions, so that every round has as long conversations. */
        void begin() {
            ids.clear();
            Arrays.fill(turn, 0);
            Arrays.fill(next, 0);
            for (int i = 0; i < 32; i++) {
                ids.add(commands.create(SessionHeader.builder().build()));
            }
        }

        private static EventStore slowed(EventStore store, long nanos) {
            if (nanos == 0) {
                return store;
            }
            return (EventStore) Proxy.newProxyInstance(
                    EventStore.class.getClassLoader(), new Class<?>[] {EventStore.class}, (proxy, method, values) -> {
                        try {
                            Object result = method.invoke(store, values);
                            if (method.getName().equals("commit")) {
                                LockSupport.parkNanos(nanos);
                            }
                            return result;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        void blocking(int sessions, int turns) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 1; i < sessions; i++) {
                int session = i;
                running.add(threads.submit(() -> appendTurns(session, turns / sessions)));
            }
            appendTurns(0, turns / sessions);
            for (Future<?> future : running) {
                CompletableFuture.supplyAsync(() -> await(future), Runnable::run)
                        .join();
            }
        }

        private static Object await(Future<?> future) {
            try {
                return String.valueOf(future.get());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        private void appendTurns(int session, int turns) {
            for (int i = 0; i < turns; i++) {
                next[session] = commands.appendAll(ids.get(session), Turns.eight(++turn[session], next[session]))
                        .nextSeq();
            }
        }

        void inFlight(int most, int turns) {
            Deque<CompletableFuture<Appended>> waiting = new ArrayDeque<>();
            for (int i = 0; i < turns; i++) {
                List<EventDraft> batch = Turns.eight(++turn[0], next[0]);
                next[0] += batch.size();
                waiting.add(commands.appendAllAsync(ids.get(0), batch));
                if (waiting.size() == most) {
                    waiting.remove().join();
                }
            }
            waiting.forEach(CompletableFuture::join);
        }

        @Override
        public void close() {
            threads.shutdown();
            commands.close();
            projection.close();
            store.close();
        }
    }

    /** The same events in a table of the same columns, one commit for each turn. */
    private static final class Raw implements AutoCloseable {

        private final Connection connection;
        private final PreparedStatement insert;
        private long turn;
        private long next;

        Raw(Path file) throws SQLException {
            connection = DriverManager.getConnection("jdbc:sqlite:" + file
                    + "?journal_mode=WAL&synchronous=FULL&busy_timeout=5000&transaction_mode=IMMEDIATE");
            try (Statement create = connection.createStatement()) {
                create.execute("CREATE TABLE event (key INTEGER PRIMARY KEY, n INTEGER NOT NULL, type TEXT NOT NULL,"
                        + " time ANY NOT NULL, ignorable INTEGER NOT NULL, surface_op TEXT, source_event_seqs TEXT,"
                        + " checksum INTEGER NOT NULL, data ANY NOT NULL) STRICT");
            }
            connection.setAutoCommit(false);
            insert = connection.prepareStatement("INSERT INTO event VALUES (?, 1, ?, ?, 0, ?, ?, 0, ?)");
        }

        void turns(int turns) {
            try {
                for (int i = 0; i < turns; i++) {
                    for (EventDraft draft : Turns.eight(++turn, next)) {
                        SessionEvent event = draft.toEvent(next++, turn);
                        insert.setLong(1, 1L << 32 | event.seq());
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
                    }
                    insert.executeBatch();
                    connection.commit();
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
