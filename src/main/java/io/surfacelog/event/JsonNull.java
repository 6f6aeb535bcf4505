package io.surfacelog.event;

/** The JSON value {@code null}. */
public enum JsonNull implements Json {
    NULL;

    @Override
    public String toString() {
        return "null";
    }
}
