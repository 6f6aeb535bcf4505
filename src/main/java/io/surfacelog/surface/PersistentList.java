package io.surfacelog.surface;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An immutable list whose versions share their chunks: appending costs O(1), replacing a range O(what stands behind its
 * start), reading O(1). A version never sees what a later one appended, since it is bounded by its own size; a slot
 * behind it is claimed once, and a second version that grows from the same point copies the last chunk.
 */
final class PersistentList<T> {

    private static final int BITS = 9;
    private static final int WIDTH = 1 << BITS;
    private static final int MASK = WIDTH - 1;
    private static final int FIRST_WIDTH = 8;
    private static final PersistentList<?> EMPTY = new PersistentList<>(new Chunk[0], 0);

    private final Chunk[] chunks;
    private final int size;

    private PersistentList(Chunk[] chunks, int size) {
        this.chunks = chunks;
        this.size = size;
    }

    @SuppressWarnings("unchecked") // holds nothing, so it is a list of anything
    static <T> PersistentList<T> empty() {
        return (PersistentList<T>) EMPTY;
    }

    int size() {
        return size;
    }

    @SuppressWarnings("unchecked") // only items of type T are ever put in
    T get(int index) {
        return (T) chunks[index >> BITS].items[index & MASK];
    }

    PersistentList<T> append(T item) {
        int slot = size & MASK;
        if (slot == 0) {
            Chunk[] more = Arrays.copyOf(chunks, chunks.length + 1);
            more[chunks.length] = new Chunk(new Object[FIRST_WIDTH], 0).put(0, item);
            return new PersistentList<>(more, size + 1);
        }
        int last = chunks.length - 1;
        Chunk tail = chunks[last];
        if (slot < tail.items.length && tail.claim(slot)) {
            tail.items[slot] = item;
            return new PersistentList<>(chunks, size + 1);
        }
        Chunk[] copy = chunks.clone();
        int width = slot < tail.items.length ? tail.items.length : Math.min(WIDTH, tail.items.length * 4);
        Object[] items = new Object[width];
        System.arraycopy(tail.items, 0, items, 0, slot);
        copy[last] = new Chunk(items, slot).put(slot, item);
        return new PersistentList<>(copy, size + 1);
    }

    /** A version in which the item stands in the place of those from first to last, both included. */
    PersistentList<T> replace(int first, int last, T item) {
        return splice(first, last + 1, item);
    }

    /** A version in which the item stands before the one at this index. */
    PersistentList<T> insert(int index, T item) {
        return splice(index, index, item);
    }

    /** A version without the items from first to last, both included. */
    PersistentList<T> remove(int first, int last) {
        return splice(first, last + 1, null);
    }

    /** Rebuilds what stands behind the start: the item, if any, in the place of [from, to). */
    private PersistentList<T> splice(int from, int to, @Nullable T item) {
        int newSize = size - (to - from) + (item == null ? 0 : 1);
        int kept = from >> BITS;
        Chunk[] copy = Arrays.copyOf(chunks, (newSize + MASK) >> BITS);
        int target = kept << BITS;
        int source = target;
        boolean pending = item != null;
        for (int chunk = kept; chunk < copy.length; chunk++) {
            int count = Math.min(WIDTH, newSize - target);
            Object[] items = new Object[Math.max(FIRST_WIDTH, count)];
            for (int slot = 0; slot < count; slot++, target++) {
                source = source == from ? to : source;
                if (target == from && pending) {
                    items[slot] = item;
                    pending = false;
                    continue;
                }
                items[slot] = chunks[source >> BITS].items[source & MASK];
                source++;
            }
            copy[chunk] = new Chunk(items, count);
        }
        return new PersistentList<>(copy, newSize);
    }

    /** A version with the first items only, so many of them. */
    PersistentList<T> first(int count) {
        return count == size ? this : new PersistentList<>(Arrays.copyOf(chunks, (count + MASK) >> BITS), count);
    }

    /** The items as an unmodifiable list, without a copy. */
    List<T> asList() {
        return new View<>(this);
    }

    /** A run of slots, filled from the left; several versions share it. */
    private static final class Chunk {

        private final Object[] items;
        private final AtomicInteger claimed;

        Chunk(Object[] items, int claimed) {
            this.items = items;
            this.claimed = new AtomicInteger(claimed);
        }

        boolean claim(int slot) {
            return claimed.compareAndSet(slot, slot + 1);
        }

        Chunk put(int slot, Object item) {
            items[slot] = item;
            claimed.set(slot + 1);
            return this;
        }
    }

    private static final class View<T> extends AbstractList<T> implements RandomAccess {

        private final PersistentList<T> list;

        View(PersistentList<T> list) {
            this.list = list;
        }

        @Override
        public T get(int index) {
            if (index < 0 || index >= list.size) {
                throw new IndexOutOfBoundsException("expected an index below " + list.size + ", found " + index);
            }
            return list.get(index);
        }

        @Override
        public int size() {
            return list.size;
        }
    }
}
