package io.surfacelog.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flips bits of every value of every row, through SQL, so that structure and indexes stay sound. */
class BitFlipTest {

    private static final List<String> TABLES = List.of(
            "event",
            "session",
            "segment",
            "kept_prefix",
            "audit",
            "checkpoint",
            "commit_log",
            "idempotency_key",
            "lease",
            "subscription",
            "declared_type",
            "store_meta",
            "dictionary",
            "sqlite_sequence");

    /** Every so many flips, also where reading has already reported, the verification is asked. */
    private static final int ALWAYS_VERIFIED = 16;

    /** Every value of the sessions has fewer bits than these. */
    private static final int EVERY_BIT_UP_TO = 16_384;

    @TempDir
    private Path directory;

    /** The values are shared out among so many threads, each with a database of its own. */
    private static final int WORKERS = Math.max(2, Runtime.getRuntime().availableProcessors());

    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger flips = new AtomicInteger();

    /** One bit in four, other ones each time; the slow one below leaves none out. */
    @Test
    void no_flipped_bit_is_ever_read_as_data_and_verify_finds_it_at_the_latest() {
        flip(4);
    }

    @Test
    @Tag("slow")
    void none_of_all_flipped_bits_is_ever_read_as_data_and_verify_finds_it_at_the_latest() {
        flip(1);
    }

    /** Flips one in so many. */
    private void flip(int step) {
        long seed = System.nanoTime();
        Path pristine = directory.resolve("pristine.db");
        SmallStore.create(pristine);
        IntStream.range(0, WORKERS).parallel().forEach(worker -> flipShareOf(worker, step, pristine, new Random(seed)));
        assertThat(failures).as("seed %d, %d flips", seed, flips.get()).isEmpty();
        assertThat(flips.get()).isGreaterThan(5_000 / step);
    }

    private void flipShareOf(int worker, int step, Path pristine, Random random) {
        Path file = directory.resolve("store-" + worker + ".db");
        SmallStore.copy(pristine, file);
        try (SqliteEventStore store =
                        SqliteEventStore.open(SqliteSettings.at(file).readConnections(1));
                Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file + "?synchronous=OFF")) {
            run(connection, "ATTACH '" + pristine + "' AS pristine");
            Answers answers = new Answers(store);
            List<List<?>> expected = answers.all();
            assertThat(answers.verification()).isEmpty();
            int at = 0;
            for (String table : TABLES) {
                for (Cell cell : cells(connection, table)) {
                    if (at++ % WORKERS == worker) {
                        flipBits(connection, cell, step, answers, expected, random);
                    }
                }
            }
            assertThat(answers.compareWith(expected)).isEqualTo(new Answers.Verdict(List.of(), false, false));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private void flipBits(
            Connection connection, Cell cell, int oneIn, Answers answers, List<List<?>> expected, Random random)
            throws SQLException {
        // of the dictionary, which is the same in every store, bits from everywhere in it
        int apart = cell.bits() <= EVERY_BIT_UP_TO ? 1 : cell.bits() / EVERY_BIT_UP_TO * 16 + 1;
        assertThat(apart == 1 || cell.table.equals("dictionary")).as("%s", cell).isTrue();
        int step = apart * oneIn;
        for (int bit = random.nextInt(step); bit < cell.bits(); bit += step) {
            try {
                cell.writeFlipped(connection, bit);
            } catch (SQLException takenOrRefused) {
                continue;
            }
            flips.incrementAndGet();
            Answers.Verdict verdict = answers.compareWith(expected);
            verdict.wrong().forEach(wrong -> failures.add(cell + ": " + wrong));
            boolean silent = !verdict.reported() && verdict.missing();
            if (silent || random.nextInt(ALWAYS_VERIFIED) == 0) {
                boolean found = !answers.verification().isEmpty();
                if (!found && (silent || verdict.reported())) {
                    failures.add(cell + ", bit " + bit + ": not found by the verification, " + verdict);
                }
            }
            restore(connection, cell.table);
            if (failures.size() > 20) {
                return;
            }
        }
    }

    private static void restore(Connection connection, String table) throws SQLException {
        run(connection, "BEGIN");
        run(connection, "DELETE FROM main." + table);
        run(connection, "INSERT INTO main." + table + " SELECT * FROM pristine." + table);
        if (table.equals("session")) {
            run(connection, "DELETE FROM main.sqlite_sequence");
            run(connection, "INSERT INTO main.sqlite_sequence SELECT * FROM pristine.sqlite_sequence");
        }
        run(connection, "COMMIT");
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** One value, found again by the place of its row. */
    private record Cell(String table, int row, String column, Object value, boolean text) {

        int bits() {
            return value instanceof byte[] text ? text.length * 8 : 64;
        }

        void writeFlipped(Connection connection, int bit) throws SQLException {
            // a table without rowid is found by all its columns, as one of them is about to change
            String update =
                    "UPDATE main.%1$s SET %2$s = %3$s WHERE (%4$s) IN (SELECT %4$s FROM pristine.%1$s LIMIT 1 OFFSET %5$d)"
                            .formatted(table, column, text ? "CAST(? AS TEXT)" : "?", key(), row);
            try (PreparedStatement statement = connection.prepareStatement(update)) {
                if (value instanceof byte[] bytes) {
                    byte[] flipped = bytes.clone();
                    flipped[bit / 8] ^= (byte) (1 << bit % 8);
                    statement.setBytes(1, flipped);
                } else {
                    statement.setLong(1, (Long) value ^ 1L << bit);
                }
                assertThat(statement.executeUpdate()).isEqualTo(1);
            }
        }

        private String key() {
            return switch (table) {
                case "idempotency_key" -> "session, key";
                case "lease" -> "session, purpose";
                case "subscription" -> "name";
                case "declared_type" -> "type";
                case "segment" -> "session, from_seq";
                default -> "rowid";
            };
        }

        @Override
        public String toString() {
            return table + " row " + row + " " + column;
        }
    }

    private static List<Cell> cells(Connection connection, String table) throws SQLException {
        List<String> columns = new ArrayList<>();
        List<Cell> cells = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet info = statement.executeQuery("PRAGMA table_info(" + table + ")")) {
            while (info.next()) {
                columns.add(info.getString("name"));
            }
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT * FROM pristine." + table)) {
            for (int at = 0; row.next(); at++) {
                for (String column : columns) {
                    Object value = row.getObject(column);
                    if (value instanceof Number number) {
                        cells.add(new Cell(table, at, column, number.longValue(), false));
                    } else if (value != null) {
                        cells.add(new Cell(table, at, column, row.getBytes(column), value instanceof String));
                    }
                }
            }
        }
        assertThat(cells).isNotEmpty();
        return cells;
    }
}
