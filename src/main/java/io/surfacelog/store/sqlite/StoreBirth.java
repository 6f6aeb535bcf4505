package io.surfacelog.store.sqlite;

import io.surfacelog.store.StoreException;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Makes a new store. Whoever comes first locks the file for as long as it takes; whoever comes second waits and finds a
 * finished store. The mark that makes it ours is set last, in one transaction with the id of the store, so that a
 * creation that was cut short is taken up by the next one.
 */
final class StoreBirth {

    private final Path file;
    private final SqliteUrl url;
    private final SqliteErrors errors;
    private final SchemaGuard guard;

    StoreBirth(Path file, SqliteUrl url, SqliteErrors errors, SchemaGuard guard) {
        this.file = file;
        this.url = url;
        this.errors = errors;
        this.guard = guard;
    }

    void create(int pageSize) {
        Path directory = file.getParent();
        try {
            if (directory != null) {
                Files.createDirectories(directory);
            }
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    Reason.CANNOT_OPEN,
                    "cannot create the directory " + directory + " for the database: " + SqliteErrors.reason(e)
                            + "; create it, or name a file in another place",
                    e);
        }
        try (Connection connection = DriverManager.getConnection(url.creating(pageSize))) {
            SqliteLink link = new SqliteLink(connection);
            // the lock of this transaction, though it writes nothing, is kept until the connection closes; set any
            // earlier,
            // the mode would keep shared locks too, and two that create would wait for each other
            link.run("BEGIN EXCLUSIVE");
            link.run("PRAGMA locking_mode = EXCLUSIVE");
            link.run("COMMIT");
            if (guard.inspect(link) == SchemaGuard.Finding.NEW) {
                migrate(connection);
                stamp(link);
            }
        } catch (SQLException | FlywayException e) {
            throw errors.translate(e, "creating it", null);
        }
    }

    private static void migrate(Connection connection) {
        Flyway.configure(StoreBirth.class.getClassLoader())
                .dataSource(new SingleConnectionDataSource(connection, true))
                .locations("classpath:" + SchemaShape.LOCATION)
                .table(SchemaShape.HISTORY)
                .load()
                .migrate();
    }

    private static void stamp(SqliteLink link) throws SQLException, StoreException {
        link.begin();
        PreparedStatement insert = link.statement(MetaRow.REPLACE);
        new MetaRow(UUID.randomUUID().toString(), 0).bind(insert);
        insert.executeUpdate();
        Dictionary.write(link, Dictionary.ofThisVersion());
        link.run("PRAGMA application_id = " + SchemaShape.APPLICATION_ID);
        link.run("PRAGMA user_version = " + SchemaShape.VERSION);
        link.commit();
    }
}
