package io.surfacelog.event;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value held as its compact text, its tree, or both: each is made from the other when first asked for, and never
 * twice. What is only stored and passed on stays text; what was parsed at a door is written once.
 *
 * <p>Immutable and safe for use by several threads; two threads that ask first at once may both do the work.
 */
public final class JsonText {

    private @Nullable String text;
    private @Nullable Json value;

    private JsonText(@Nullable String text, @Nullable Json value) {
        this.text = text;
        this.value = value;
    }

    public static JsonText of(Json value) {
        return new JsonText(null, Objects.requireNonNull(value, "value"));
    }

    /**
     * Trusts the caller that this is one JSON value in the spelling of {@link Json#toText()}; for stores, which wrote
     * it that way and have checked its checksum. It is not parsed until {@link #value()} is called.
     */
    public static JsonText ofCompact(String text) {
        return new JsonText(Objects.requireNonNull(text, "text"), null);
    }

    /** The compact text. Cost: O(size) the first time, O(1) after. */
    public String text() {
        String known = text;
        if (known == null) {
            known = Objects.requireNonNull(value).toText();
            text = known;
        }
        return known;
    }

    /** The value. Cost: O(size) the first time, O(1) after. */
    public Json value() {
        Json known = value;
        if (known == null) {
            known = JsonReader.read(Objects.requireNonNull(text)).value();
            value = known;
        }
        return known;
    }

    /** Whether the value is at hand. */
    boolean isParsed() {
        return value != null;
    }

    /** Size of the compact text in UTF-8 bytes. Cost: O(size). */
    public long utf8Bytes() {
        return utf8Bytes(text());
    }

    static long utf8Bytes(String text) {
        long bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                // a surrogate pair is two units and four bytes
                bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
            }
        }
        return bytes;
    }

    /** The compact text in UTF-8. */
    public byte[] utf8() {
        return text().getBytes(StandardCharsets.UTF_8);
    }

    /** Equal when the JSON values are. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof JsonText that
                        && (text != null && text.equals(that.text) || value().equals(that.value()));
    }

    @Override
    public int hashCode() {
        return value().hashCode();
    }

    @Override
    public String toString() {
        return text();
    }
}
