package io.surfacelog.cli;

import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.EventLimits;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.store.EventStore;

/** Where imports go: a database that is made only once there is something to keep in it. */
final class ImportTarget implements AutoCloseable {

    private final Database database;
    private Standalone open;

    ImportTarget(Database database) {
        this.database = database;
        this.open = database.open(IfAbsent.REHEARSE);
    }

    /** The store as far as it is there: an empty one in memory until something is to be kept. */
    EventStore store() {
        return open.store();
    }

    EventLimits limits() {
        return open.limits();
    }

    SessionCommands commands() {
        return open.commands();
    }

    SessionQueries queries() {
        return open.queries();
    }

    /** Whether there is no database yet. */
    boolean isRehearsal() {
        return open.isRehearsal();
    }

    /** The same target, after this certainly the database. */
    ImportTarget ready() {
        if (open.isRehearsal()) {
            Standalone made = database.open();
            open.close();
            open = made;
        }
        return this;
    }

    @Override
    public void close() {
        open.close();
    }
}
