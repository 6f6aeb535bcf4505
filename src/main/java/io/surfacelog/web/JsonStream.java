package io.surfacelog.web;

import io.surfacelog.event.Json;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Function;

/** One JSON object, written as its members come up; holds one item. Used by one thread. */
final class JsonStream {

    private final OutputStream out;
    private boolean begun;

    JsonStream(OutputStream out) {
        this.out = new BufferedOutputStream(out, 1 << 15);
    }

    JsonStream member(String name, Json value) throws IOException {
        name(name);
        text(value.toText());
        return this;
    }

    JsonStream member(String name, long value) throws IOException {
        return member(name, Json.of(value));
    }

    /** A member that is an array, of which each item is made when its turn comes. */
    <T> JsonStream array(String name, Iterable<T> items, Function<T, String> toText) throws IOException {
        name(name);
        text("[");
        boolean first = true;
        for (T item : items) {
            text(first ? toText.apply(item) : "," + toText.apply(item));
            first = false;
        }
        text("]");
        return this;
    }

    /** A member that is an array of what the source hands out. */
    JsonStream array(String name, Source source) throws IOException {
        name(name);
        text("[");
        boolean[] more = {false};
        try {
            source.forEach(item -> {
                try {
                    text(more[0] ? "," + item : item);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                more[0] = true;
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        text("]");
        return this;
    }

    /** Hands out JSON texts one after the other. */
    interface Source {
        void forEach(Consumer<String> item);
    }

    void end() throws IOException {
        text(begun ? "}" : "{}");
        out.flush();
    }

    private void name(String name) throws IOException {
        text(begun ? "," : "{");
        begun = true;
        text(Json.of(name).toText() + ":");
    }

    private void text(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
