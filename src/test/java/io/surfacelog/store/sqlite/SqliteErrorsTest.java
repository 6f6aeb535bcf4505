package io.surfacelog.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.StoreException;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

class SqliteErrorsTest {

    private final SqliteErrors errors = new SqliteErrors(Path.of("store.db"));

    private StoreException translate(Throwable failure) {
        return errors.translate(failure, "appending", SessionId.of("a"));
    }

    @ParameterizedTest
    @CsvSource({
        "SQLITE_BUSY, LOCKED",
        "SQLITE_BUSY_SNAPSHOT, LOCKED",
        "SQLITE_LOCKED, LOCKED",
        "SQLITE_FULL, DISK_FULL",
        "SQLITE_READONLY, READ_ONLY",
        "SQLITE_READONLY_DBMOVED, READ_ONLY",
        "SQLITE_CANTOPEN, CANNOT_OPEN",
        "SQLITE_PERM, CANNOT_OPEN",
        "SQLITE_IOERR, IO",
        "SQLITE_IOERR_FSYNC, IO",
        "SQLITE_NOMEM, IO"
    })
    void what_keeps_a_store_from_working_has_a_reason(SQLiteErrorCode code, Reason reason) {
        assertThat(translate(new RuntimeException("wrapped", new SQLiteException("said", code))))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContaining("appending")
                .hasMessageContaining("store.db")
                .hasMessageContaining("said");
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE_CORRUPT", "SQLITE_CORRUPT_INDEX", "SQLITE_NOTADB", "SQLITE_ERROR"})
    void what_cannot_come_from_a_sound_store_is_damage(SQLiteErrorCode code) {
        assertThat(translate(new SQLiteException("said", code)))
                .isInstanceOfSatisfying(
                        DamagedStoreException.class,
                        e -> assertThat(e.session()).contains(SessionId.of("a")));
    }

    @Test
    void what_is_not_from_sqlite_has_a_reason_too() {
        assertThat(translate(new SQLTransientConnectionException("no connection")))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.LOCKED));
        assertThat(translate(new SQLException("no connection", new InterruptedException())))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.LOCKED));
        assertThat(translate(new SQLException("stmt pointer is closed")))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.IO));
    }
}
