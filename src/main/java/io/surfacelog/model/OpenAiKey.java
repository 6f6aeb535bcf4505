package io.surfacelog.model;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the key of an endpoint comes from. It is asked for at every call, so that it can be exchanged while the process
 * runs, and is kept nowhere; neither this nor any failure shows it.
 *
 * <pre>{@code
 * OpenAiKey key = OpenAiKey.environment("OPENAI_API_KEY");
 * }</pre>
 */
public final class OpenAiKey {

    private final String origin;
    private final @Nullable Supplier<@Nullable String> supplier;

    private OpenAiKey(String origin, @Nullable Supplier<@Nullable String> supplier) {
        this.origin = origin;
        this.supplier = supplier;
    }

    /** The value of this environment variable. */
    public static OpenAiKey environment(String variable) {
        if (variable.isBlank()) {
            throw new IllegalArgumentException("expected the name of an environment variable, found a blank one");
        }
        return new OpenAiKey("environment variable " + variable, () -> System.getenv(variable));
    }

    /** What this supplies, on the thread of each call; safe for use by several threads. */
    public static OpenAiKey of(Supplier<@Nullable String> supplier) {
        return new OpenAiKey("supplier", supplier);
    }

    /** No key: for an endpoint that asks for none. */
    public static OpenAiKey none() {
        return new OpenAiKey("none", null);
    }

    /**
     * The key, without white space around it; empty where none is needed.
     *
     * @throws ModelException {@code API_KEY_MISSING} or {@code API_KEY_INVALID}
     */
    Optional<String> read() {
        if (supplier == null) {
            return Optional.empty();
        }
        String found = supplier.get();
        String key = found == null ? "" : found.strip();
        if (key.isEmpty()) {
            throw ModelException.of(
                    ModelException.Kind.PERMANENT,
                    "API_KEY_MISSING",
                    "expected a key from " + origin + ", found none; set it, or configure an endpoint without a key");
        }
        if (!key.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw ModelException.of(
                    ModelException.Kind.PERMANENT,
                    "API_KEY_INVALID",
                    "expected printable ASCII without white space as key from " + origin + ", found something else");
        }
        return Optional.of(key);
    }

    /** Where it comes from, never what it is. */
    @Override
    public String toString() {
        return "OpenAiKey[" + origin + "]";
    }
}
