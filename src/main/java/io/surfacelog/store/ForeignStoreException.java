package io.surfacelog.store;

/**
 * The database is not ours, or of another schema version; it was left untouched. Surfacelog never migrates: open it with
 * the version that made it, or name another database.
 */
public final class ForeignStoreException extends StoreException {

    private static final long serialVersionUID = 1L;

    private final String location;
    private final String expected;
    private final String found;
    private final String action;

    public ForeignStoreException(String location, String expected, String found, String action) {
        super("the database " + location + " is not one this version of Surfacelog can use: expected " + expected
                + ", found " + found + "; nothing was changed: " + action);
        this.location = location;
        this.expected = expected;
        this.found = found;
        this.action = action;
    }

    public String location() {
        return location;
    }

    public String expected() {
        return expected;
    }

    public String found() {
        return found;
    }

    /** What to do, as a sentence. */
    public String action() {
        return action;
    }
}
