package io.surfacelog.store.sqlite;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The JDBC URLs of a database file. Pragmas stand in the URL so that they hold from the first statement of every
 * connection; the file stands in it as a URI, because a plain path would end at its first question mark.
 */
final class SqliteUrl {

    /** Else the driver would ask for the last rowid after each insert. */
    private static final String NO_KEYS = "&jdbc.get_generated_keys=false";

    private final String file;
    private final String busyTimeout;

    SqliteUrl(Path file, Duration busyTimeout) {
        this.file = "jdbc:sqlite:" + file.toUri();
        this.busyTimeout = "busy_timeout=" + busyTimeout.toMillis();
    }

    /** Looks only: creates no file and writes none. */
    String looking() {
        return file + "?mode=ro&" + busyTimeout;
    }

    /** Writes, but changes nothing by opening. */
    String opening() {
        return file + "?mode=rw&" + busyTimeout;
    }

    /** Creates the file. */
    String creating(int pageSize) {
        return file + "?mode=rwc&" + busyTimeout + "&page_size=" + pageSize;
    }

    /** The one connection that writes. */
    String writing(SqliteSettings settings) {
        return file + "?mode=rw&" + busyTimeout + "&journal_mode=WAL&foreign_keys=true&transaction_mode=IMMEDIATE"
                + NO_KEYS + "&synchronous=" + settings.synchronous();
    }

    /** The connections that read; they are kept from writing by {@code query_only}. */
    String reading() {
        return file + "?mode=rw&" + busyTimeout + "&journal_mode=WAL&transaction_mode=DEFERRED" + NO_KEYS;
    }
}
