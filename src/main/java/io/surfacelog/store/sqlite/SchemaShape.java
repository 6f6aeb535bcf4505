package io.surfacelog.store.sqlite;

import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What our tables and indexes must look like, taken from the script that creates them, and whether those of a database
 * do. What an operator adds is no concern of ours unless it changes what a write does: indexes, statistics and further
 * tables are welcome; triggers and further unique indexes on our tables are not.
 */
final class SchemaShape {

    /** {@code PRAGMA application_id} of every store: "SLog". */
    static final int APPLICATION_ID = 0x534C_6F67;

    /** {@code PRAGMA user_version}: the schema version. */
    static final int VERSION = 3;

    /** Where Flyway finds the script; a folder of each version's own, since a build may leave that of another one behind. */
    static final String LOCATION = "io/surfacelog/store/sqlite/schema/v3";

    /** Flyway's own table, beside one that an application's Flyway may have. */
    static final String HISTORY = "surfacelog_schema_history";

    private static final String SCRIPT = "/" + LOCATION + "/V3__create_the_store.sql";

    private static final String OBJECTS = """
            SELECT type, name, tbl_name, sql
            FROM sqlite_schema
            ORDER BY rowid
            """;

    private static final Pattern CREATE = Pattern.compile("CREATE (TABLE|INDEX) (\\w+) .*");
    private static final Pattern COMMENT = Pattern.compile("--[^\\n]*");

    /** A table, index, view or trigger of a database. */
    record SchemaObject(
            String type,
            String name,
            String table,
            @Nullable String sql) {

        boolean isSqlites() {
            return name.startsWith("sqlite_");
        }
    }

    private static final SchemaShape THIS_VERSION = read();

    private final Map<String, String> expected;

    private SchemaShape(Map<String, String> expected) {
        this.expected = expected;
    }

    static SchemaShape ofThisVersion() {
        return THIS_VERSION;
    }

    private static SchemaShape read() {
        Map<String, String> expected = new LinkedHashMap<>();
        for (String statement : COMMENT.matcher(script()).replaceAll("").split(";", -1)) {
            Matcher create = CREATE.matcher(normalised(statement));
            if (create.matches()) {
                expected.put(create.group(2), create.group());
            }
        }
        return new SchemaShape(expected);
    }

    private static String script() {
        try (InputStream script = SchemaShape.class.getResourceAsStream(SCRIPT)) {
            if (script != null) {
                return new String(script.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw new StoreUnavailableException(Reason.IO, "cannot read " + SCRIPT + " from the class path", e);
        }
        throw new StoreUnavailableException(
                Reason.IO, "expected " + SCRIPT + " on the class path beside Surfacelog's classes, found nothing");
    }

    /** Without comments, and with one blank wherever there is white space. */
    private static String normalised(String sql) {
        String text = sql.contains("--") ? COMMENT.matcher(sql).replaceAll("") : sql;
        StringBuilder out = new StringBuilder(text.length());
        boolean gap = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isWhitespace(c)) {
                gap = out.length() > 0;
            } else {
                if (gap) {
                    out.append(' ');
                    gap = false;
                }
                out.append(c);
            }
        }
        return out.toString();
    }

    static List<SchemaObject> objects(SqliteLink link) throws SQLException {
        List<SchemaObject> objects = new ArrayList<>();
        try (ResultSet row = link.statement(OBJECTS).executeQuery()) {
            while (row.next()) {
                objects.add(new SchemaObject(
                        String.valueOf(row.getString(1)),
                        String.valueOf(row.getString(2)),
                        String.valueOf(row.getString(3)),
                        row.getString(4)));
            }
        }
        return objects;
    }

    /** Whether there is nothing but what a creation that was cut short can have left. */
    boolean isAtMostBegun(List<SchemaObject> objects) {
        return objects.stream()
                .allMatch(object -> object.isSqlites()
                        || object.table().equals(HISTORY)
                        || (object.sql() != null && normalised(object.sql()).equals(expected.get(object.name()))));
    }

    /** The first thing that is not as this version makes it, in words; empty if all is. */
    Optional<String> difference(List<SchemaObject> objects) {
        Map<String, SchemaObject> found = new LinkedHashMap<>();
        objects.forEach(object -> found.put(object.name(), object));
        for (Map.Entry<String, String> entry : expected.entrySet()) {
            SchemaObject object = found.remove(entry.getKey());
            if (object == null) {
                return Optional.of("none named " + entry.getKey() + ", which should be " + entry.getValue());
            }
            String sql = normalised(String.valueOf(object.sql()));
            if (!sql.equals(entry.getValue())) {
                return Optional.of(sql + ", which should be " + entry.getValue());
            }
        }
        return found.values().stream()
                .filter(object -> expected.containsKey(object.table()) && changesWrites(object))
                .map(object -> object.type() + " " + object.name() + " on table " + object.table()
                        + ", which would change what a write does")
                .findFirst();
    }

    private static boolean changesWrites(SchemaObject object) {
        return object.type().equals("trigger")
                || (object.sql() != null && normalised(object.sql()).startsWith("CREATE UNIQUE INDEX"));
    }
}
