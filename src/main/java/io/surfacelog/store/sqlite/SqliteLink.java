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

    /** Takes the write lock at once: a deferred transaction that upgrades can fail whatever the busy timeout is. */
    private static final String BEGIN_WRITE = "BEGIN IMMEDIATE";

    private static final String BEGIN_READ = "BEGIN DEFERRED";
    private static final String COMMIT = "COMMIT";
    private static final String ROLLBACK = "ROLLBACK";

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

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

    void beginWrite() throws SQLException {
        statement(BEGIN_WRITE).execute();
    }

    /** From here to {@link #rollback} all reads see one snapshot. */
    void beginRead() throws SQLException {
        statement(BEGIN_READ).execute();
    }

    void commit() throws SQLException {
        statement(COMMIT).execute();
    }

    void rollback() throws SQLException {
        statement(ROLLBACK).execute();
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
        connection.close();
    }
}
