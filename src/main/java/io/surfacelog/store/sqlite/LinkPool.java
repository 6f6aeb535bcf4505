package io.surfacelog.store.sqlite;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * A fixed number of connections with their prepared statements. Hikari lends the connections; beneath its proxies, which
 * close every statement on return, the statements are kept here for the life of their connection.
 */
final class LinkPool implements AutoCloseable {

    /** Sets up a new connection and reads back what it relies on. */
    interface Setup {
        void apply(SqliteLink link) throws SQLException, DamagedRow;
    }

    /** Work with a borrowed connection. */
    interface Work<T> {
        T run(SqliteLink link) throws SQLException, DamagedRow;
    }

    private final HikariDataSource pool;
    private final UnaryOperator<Connection> wiring;
    private final Setup setup;
    private final Map<Connection, SqliteLink> links = new ConcurrentHashMap<>();

    /**
     * Opens the pool.
     *
     * @param wiring what stands between a physical connection and its link; the connection itself, except in tests
     */
    LinkPool(String name, String url, int size, long waitMillis, UnaryOperator<Connection> wiring, Setup setup) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setDriverClassName("org.sqlite.JDBC");
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(size);
        config.setConnectionTimeout(waitMillis);
        config.setMaxLifetime(0);
        config.setIdleTimeout(0);
        this.wiring = wiring;
        this.setup = setup;
        this.pool = new HikariDataSource(config);
    }

    /**
     * Lends a connection to the work. The work leaves no transaction behind; if it cannot, it closes the link, and the
     * pool makes another.
     */
    <T> T lend(Work<T> work) throws SQLException, DamagedRow {
        try (Connection lent = pool.getConnection()) {
            SqliteLink link = link(lent.unwrap(org.sqlite.SQLiteConnection.class));
            try {
                return work.run(link);
            } finally {
                if (link.isClosed()) {
                    links.values().removeIf(SqliteLink::isClosed);
                    pool.evictConnection(lent);
                }
            }
        }
    }

    private SqliteLink link(Connection physical) throws SQLException, DamagedRow {
        SqliteLink known = links.get(physical);
        if (known != null) {
            return known;
        }
        links.values().removeIf(SqliteLink::isClosed);
        SqliteLink added = new SqliteLink(wiring.apply(physical));
        setup.apply(added);
        links.put(physical, added);
        return added;
    }

    @Override
    public void close() {
        pool.close();
        links.clear();
    }
}
