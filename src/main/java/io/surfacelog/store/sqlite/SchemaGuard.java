package io.surfacelog.store.sqlite;

import io.surfacelog.store.ForeignStoreException;
import io.surfacelog.store.StoreException;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Decides whether a file may be opened as a store, before anything is written to it. It first reads the head of the file
 * as plain bytes, since merely opening a database with SQLite can leave files beside it and can even change it; only what
 * may be ours is then looked at through a read-only connection.
 */
final class SchemaGuard {

    /** What may be opened; everything else is an exception. */
    enum Finding {
        /** Nothing is there yet, or a creation was cut short. */
        NEW,
        /** A store of this version. */
        OURS
    }

    private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER = 100;
    private static final int MAX_PAGE = 65_536;
    private static final int FORMAT_AT = 18;
    private static final int USER_VERSION_AT = 60;
    private static final int APPLICATION_ID_AT = 68;

    /** No store that is just being created is larger. */
    private static final int MAX_CREATED = 4 << 20;

    private static final int JOURNAL_HEADER = 28;
    private static final int JOURNAL_PAGES_AT = 16;
    private static final int JOURNAL_SECTOR_AT = 20;

    /** Behind the header of the database: how many entries the root of its schema has. */
    private static final int TABLES_AT = 3;

    private static final String EXPECTED =
            "a Surfacelog store of schema version " + SchemaShape.VERSION + ", or no file";
    private static final String NAME_ANOTHER = "give Surfacelog a file of its own";

    private final Path file;
    private final SqliteUrl url;
    private final SqliteErrors errors;
    private final SchemaShape shape;

    SchemaGuard(Path file, SqliteUrl url, SqliteErrors errors, SchemaShape shape) {
        this.file = file;
        this.url = url;
        this.errors = errors;
        this.shape = shape;
    }

    Finding inspectFile() {
        Path directory = file.getParent();
        if (Files.isDirectory(file)) {
            throw new StoreUnavailableException(
                    Reason.CANNOT_OPEN, "expected a database file, found the directory " + file + "; " + NAME_ANOTHER);
        }
        if (directory != null && Files.exists(directory) && !Files.isWritable(directory)) {
            throw readOnly("the directory " + directory);
        }
        byte[] head = head(file, MAX_PAGE);
        if (Files.exists(file) && !Files.isWritable(file)) {
            throw readOnly("the file " + file);
        }
        if (head.length == 0) {
            return nothingBesides();
        }
        if (head.length < HEADER || !ByteBuffer.wrap(head, 0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
            throw foreign(
                    "a file that is no SQLite database",
                    "if it was a store once, restore it from a copy; else " + NAME_ANOTHER);
        }
        ByteBuffer header = ByteBuffer.wrap(head);
        int applicationId = header.getInt(APPLICATION_ID_AT);
        if (applicationId != 0) {
            refuseOthers(applicationId, header.getInt(USER_VERSION_AT));
        } else if (header.get(FORMAT_AT) == 2) {
            // a store is stamped before it is ever put into WAL mode
            throw foreign("a database in WAL mode without an application id", NAME_ANOTHER);
        }
        return look(applicationId != 0 || namesHistory(head));
    }

    /** What SQLite sees; its transaction is the caller's. */
    Finding inspect(SqliteLink link) throws SQLException {
        int applicationId = Integer.parseInt(String.valueOf(link.first("PRAGMA application_id")));
        int version = Integer.parseInt(String.valueOf(link.first("PRAGMA user_version")));
        List<SchemaShape.SchemaObject> objects = SchemaShape.objects(link);
        if (applicationId == 0 && version == 0 && shape.isAtMostBegun(objects) && !isNamed(link, objects)) {
            return Finding.NEW;
        }
        if (applicationId == 0) {
            throw foreign(
                    "a database without an application id that holds "
                            + objects.stream()
                                    .map(object -> object.type() + " " + object.name())
                                    .limit(5)
                                    .collect(Collectors.joining(", ")),
                    NAME_ANOTHER);
        }
        refuseOthers(applicationId, version);
        Optional<String> difference = shape.difference(objects);
        if (difference.isPresent()) {
            throw foreign(difference.get(), "undo what was changed in the schema, or restore the database from a copy");
        }
        String encoding = link.first("PRAGMA encoding");
        if (!"UTF-8".equals(encoding)) {
            throw foreign("the encoding " + encoding, "restore the database from a copy");
        }
        return Finding.OURS;
    }

    /** Whether the store has its id, which it gets in the same transaction as the mark. */
    private static boolean isNamed(SqliteLink link, List<SchemaShape.SchemaObject> objects) throws SQLException {
        return objects.stream().anyMatch(object -> object.name().equals(MetaRow.TABLE))
                && link.first("SELECT store_id FROM store_meta") != null;
    }

    private void refuseOthers(int applicationId, int version) {
        if (applicationId != SchemaShape.APPLICATION_ID) {
            throw foreign(
                    String.format("application id 0x%08X instead of 0x%08X", applicationId, SchemaShape.APPLICATION_ID),
                    NAME_ANOTHER);
        }
        if (version != SchemaShape.VERSION) {
            throw foreign(
                    "schema version " + version,
                    "open it with the version of Surfacelog that made it and export its sessions, or " + NAME_ANOTHER);
        }
    }

    private Finding look(boolean maybeOurs) {
        try (SqliteLink link = new SqliteLink(DriverManager.getConnection(url.looking()))) {
            return inspect(link);
        } catch (SQLException e) {
            // an unfinished transaction must be rolled back before anything can be read: ours we may write to
            if (SqliteErrors.isReadOnly(e) && (maybeOurs || isCreationCutShort())) {
                return open();
            }
            throw errors.translate(e, "looking at it", null);
        }
    }

    /**
     * Whether the transaction that the journal would roll back began on an empty database or on one of ours: as more tables
     * are made, the names move out of the first page of the database, and only the journal still has that page as it was.
     */
    private boolean isCreationCutShort() {
        byte[] journal = head(besides("-journal"), MAX_CREATED);
        return namesHistory(journal) || namesHistory(head(file, MAX_CREATED)) || leadsBackToNothing(journal);
    }

    /** Nothing is no page, or, once the file has been locked for its creation, one page that names no table. */
    private static boolean leadsBackToNothing(byte[] journal) {
        if (journal.length < JOURNAL_HEADER) {
            return false;
        }
        ByteBuffer header = ByteBuffer.wrap(journal);
        int pages = header.getInt(JOURNAL_PAGES_AT);
        long page = header.getInt(JOURNAL_SECTOR_AT) + (long) Integer.BYTES;
        return pages == 0
                || (pages == 1
                        && page > 0
                        && page + HEADER + TABLES_AT + Short.BYTES <= journal.length
                        && header.getInt((int) page + APPLICATION_ID_AT) == 0
                        && header.getInt((int) page + USER_VERSION_AT) == 0
                        && header.getShort((int) page + HEADER + TABLES_AT) == 0);
    }

    private static boolean namesHistory(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1).contains(SchemaShape.HISTORY);
    }

    private Finding open() {
        try (SqliteLink link = new SqliteLink(DriverManager.getConnection(url.opening()))) {
            return inspect(link);
        } catch (SQLException e) {
            throw errors.translate(e, "opening it", null);
        }
    }

    private static byte[] head(Path of, int length) {
        if (!Files.exists(of)) {
            return new byte[0];
        }
        try (InputStream in = Files.newInputStream(of)) {
            return in.readNBytes(length);
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    Reason.CANNOT_OPEN,
                    "cannot read " + of + ": " + SqliteErrors.reason(e) + "; make it readable for this user",
                    e);
        }
    }

    private Path besides(String suffix) {
        // by way of the URI, since a name beyond ASCII has no text in an ASCII locale
        return Path.of(URI.create(file.toUri() + suffix));
    }

    /** SQLite would silently drop the log of a database that has gone. */
    private Finding nothingBesides() {
        Path wal = besides("-wal");
        try {
            if (Files.exists(wal) && Files.size(wal) > 0) {
                throw foreign(
                        "no database, but its write-ahead log " + wal,
                        "put the database back beside its log, or move the log away");
            }
        } catch (IOException e) {
            throw new StoreUnavailableException(Reason.IO, "cannot look at " + wal + ": " + SqliteErrors.reason(e), e);
        }
        return Finding.NEW;
    }

    private static StoreException readOnly(String what) {
        return new StoreUnavailableException(
                Reason.READ_ONLY, what + " is read-only; make the file and its directory writable for this user");
    }

    private StoreException foreign(String found, String action) {
        return new ForeignStoreException(file.toString(), EXPECTED, found, action);
    }
}
