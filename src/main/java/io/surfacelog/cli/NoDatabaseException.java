package io.surfacelog.cli;

import io.surfacelog.store.StoreException;
import java.nio.file.Path;

/** A command that only reads, or needs a session, was pointed at a place where no database is; none was made. */
final class NoDatabaseException extends StoreException {

    private static final long serialVersionUID = 1L;

    NoDatabaseException(Path file) {
        super("there is no database " + file.toAbsolutePath().normalize()
                + "; import makes one, and --db names another");
    }
}
