package io.surfacelog.store.sqlite;

import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One physical connection and the statements prepared on it, which live as long as it does. Used by the one thread that has
 * borrowed the connection.
 */
final class SqliteLink implements AutoCloseable {

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    private @Nullable Compression compression;

    SqliteLink(Connection connection) {
        this.connection = connection;
    }

    Connection connection() {
        return connection;
    }

    /** The statement of this constant SQL; its parameters are those of its last use. */
    PreparedStatement statement(String sql) throws SQLException {
        PreparedStatement known = statements.get(sql);
        if (known == null) {
            known = connection.prepareStatement(sql);
            statements.put(sql, known);
        }
        return known;
    }

    /**
     * Begins a transaction of the mode that the URL names: one that writes takes its lock here, because one that asks for it
     * later can fail whatever the busy timeout is. Outside of JDBC's auto-commit mode the driver also spares each statement
     * an attempt to begin and commit a transaction of its own.
     */
    void begin() throws SQLException {
        try {
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            leaveTransactionMode();
            throw e;
        }
    }

    void commit() throws SQLException {
        connection.setAutoCommit(true);
    }

    /** Ends a transaction without a trace; the driver's own rollback would begin the next one at once. */
    void rollback() throws SQLException {
        run("ROLLBACK");
        leaveTransactionMode();
    }

    private void leaveTransactionMode() throws SQLException {
        try {
            connection.setAutoCommit(true);
        } catch (SQLException nothingToCommit) {
            if (!connection.getAutoCommit()) {
                throw nothingToCommit;
            }
        }
    }

    /** Makes events readable and writable, by the dictionary of the store. */
    void compression(byte[] dictionary) {
        compression = new Compression(dictionary);
    }

    Compression compression() {
        if (compression == null) {
            throw new IllegalStateException("expected a connection set up to read events");
        }
        return compression;
    }

    /** Runs SQL that gives no result and is not worth keeping. */
    void run(String sql) throws SQLException {
        try (Statement once = connection.createStatement()) {
            once.execute(sql);
        }
    }

    /** The first column of the first row, null if there is none. */
    @Nullable
    String first(String sql) throws SQLException {
        try (Statement once = connection.createStatement();
                ResultSet row = once.executeQuery(sql)) {
            return row.next() ? row.getString(1) : null;
        }
    }

    /** Reads a pragma back; what was asked for in the URL need not have happened. */
    void expectPragma(String name, Object expected) throws SQLException {
        String found = first("PRAGMA " + name);
        if (!expected.toString().equals(found)) {
            throw new StoreUnavailableException(
                    Reason.CANNOT_OPEN,
                    "expected PRAGMA " + name + " to be " + expected + ", found " + found
                            + "; the file system may not support it: move the database to a local disk");
        }
    }

    boolean isClosed() {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }

    @Override
    public void close() throws SQLException {
        if (compression != null) {
            compression.close();
        }
        connection.close();
    }
}
