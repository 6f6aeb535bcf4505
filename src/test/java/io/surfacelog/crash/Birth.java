package io.surfacelog.crash;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import java.nio.file.Path;

/** A child that does nothing but create a store, after it has made another, so that its classes are loaded. */
final class Birth {

    private Birth() {}

    /** Arguments: the database file to practise on, the database file. */
    public static void main(String[] args) {
        SqliteEventStore.open(SqliteSettings.at(Path.of(args[0]))).close();
        ChildJvm.ready();
        try (EventStore store = SqliteEventStore.open(SqliteSettings.at(Path.of(args[1])))) {
            Programme.say("created " + store.info().storeId());
        }
    }
}
