package io.surfacelog.event;

/** The JSON values {@code true} and {@code false}. */
public enum JsonBoolean implements Json {
    TRUE(true),
    FALSE(false);

    private final boolean value;

    JsonBoolean(boolean value) {
        this.value = value;
    }

    public static JsonBoolean of(boolean value) {
        return value ? TRUE : FALSE;
    }

    public boolean value() {
        return value;
    }

    @Override
    public String toString() {
        return Boolean.toString(value);
    }
}
