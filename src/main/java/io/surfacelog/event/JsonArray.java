package io.surfacelog.event;

import java.util.List;
import java.util.Objects;

/** A JSON array; its items are an unmodifiable list. */
public record JsonArray(List<Json> items) implements Json {

    public static final JsonArray EMPTY = new JsonArray(List.of());

    public JsonArray {
        items = List.copyOf(items);
    }

    public static JsonArray of(List<? extends Json> items) {
        return items.isEmpty() ? EMPTY : new JsonArray(List.copyOf(items));
    }

    public int size() {
        return items.size();
    }

    public Json get(int index) {
        return items.get(index);
    }

    @Override
    public boolean equals(Object other) {
        // by index, not by iterator: half the stack of AbstractList.equals on deep values
        if (this == other) {
            return true;
        }
        if (!(other instanceof JsonArray that) || that.items.size() != items.size()) {
            return false;
        }
        for (int i = 0; i < items.size(); i++) {
            if (!items.get(i).equals(that.items.get(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return Objects.hash(items.size(), items.isEmpty() ? 0 : items.get(0).hashCode());
    }

    @Override
    public String toString() {
        return toText();
    }
}
