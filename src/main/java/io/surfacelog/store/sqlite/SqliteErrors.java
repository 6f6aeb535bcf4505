package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.StoreException;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteException;

/**
 * Says what a failure of SQLite means, by its result code: the driver sets no SQLState, and Spring's translation knows
 * none of the codes.
 */
final class SqliteErrors {

    private final Path file;

    SqliteErrors(Path file) {
        this.file = file;
    }

    /**
     * The exception to throw.
     *
     * @param doing what was being done, to stand after "while"
     * @param session the session it was about, if it was about one
     */
    StoreException translate(Throwable failure, String doing, @Nullable SessionId session) {
        int code = code(failure);
        String what = "while " + doing + " in " + file + ", SQLite said: " + message(failure);
        return switch (code & 0xFF) {
            // BUSY, LOCKED
            case 5, 6 ->
                unavailable(
                        Reason.LOCKED,
                        what
                                + "; another process or too many threads hold what is needed: end them or wait longer, and try again",
                        failure);
            case 13 ->
                unavailable(
                        Reason.DISK_FULL,
                        what + "; nothing of this was stored: free some space and try again",
                        failure);
            case 8 ->
                unavailable(
                        Reason.READ_ONLY, what + "; make the file and its directory writable for this user", failure);
            // PERM, CANTOPEN, AUTH
            case 3, 14, 23 ->
                unavailable(
                        Reason.CANNOT_OPEN,
                        what + "; check that the path exists and that this user may read and write it",
                        failure);
            // ERROR on SQL that is fixed, CORRUPT, SCHEMA, MISMATCH, NOTADB, and CONSTRAINT where none can be broken
            case 1, 11, 17, 19, 20, 26 ->
                new DamagedStoreException(new StoreFault(session, OptionalLong.empty(), "database", what));
            default ->
                unavailable(
                        Reason.IO, what + "; check the disk and the file system, then open the store again", failure);
        };
    }

    static boolean isDamage(Throwable failure) {
        return switch (code(failure) & 0xFF) {
            case 1, 11, 17, 19, 20, 26 -> true;
            default -> false;
        };
    }

    static boolean isConstraint(SQLException failure) {
        return (code(failure) & 0xFF) == 19;
    }

    static boolean isReadOnly(SQLException failure) {
        int primary = code(failure) & 0xFF;
        return primary == 8 || primary == 14;
    }

    private static StoreUnavailableException unavailable(Reason reason, String message, Throwable cause) {
        return new StoreUnavailableException(reason, message, cause);
    }

    /** The extended result code; that of a wait for a connection is BUSY, that of anything else not from SQLite IOERR. */
    private static int code(Throwable failure) {
        boolean waited = false;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLiteException sqlite) {
                return sqlite.getResultCode().code;
            }
            waited |= cause instanceof SQLTransientConnectionException || cause instanceof InterruptedException;
        }
        return waited ? 5 : 10;
    }

    private static String message(Throwable failure) {
        Throwable said = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException) {
                said = cause;
            }
        }
        return String.valueOf(said.getMessage());
    }

    /** Why a file could not be used, without the name of a Java class. */
    static String reason(IOException e) {
        if (e instanceof FileAlreadyExistsException inTheWay) {
            return inTheWay.getFile() + " is there and is no directory";
        }
        if (e instanceof AccessDeniedException) {
            return "access is denied";
        }
        String reason = e instanceof FileSystemException failed ? failed.getReason() : e.getMessage();
        return reason == null ? e.getClass().getSimpleName() : reason;
    }
}
