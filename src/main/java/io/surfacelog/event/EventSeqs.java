package io.surfacelog.event;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * An immutable list of event seqs in the order given, held as runs, so that "these fifty chunks" costs as much as one
 * seq. Every seq lies between 0 and 2^53−1.
 *
 * <pre>{@code
 * EventSeqs.range(10, 12).and(3).toText(); // "10-12,3"
 * }</pre>
 */
public final class EventSeqs {

    public static final EventSeqs NONE = new EventSeqs(new long[0], 0);

    /** Pairs of first and last seq of each ascending run. */
    private final long[] runs;

    private final long size;

    private EventSeqs(long[] runs, long size) {
        this.runs = runs;
        this.size = size;
    }

    public static EventSeqs of(long... seqs) {
        Builder builder = new Builder();
        for (long seq : seqs) {
            builder.add(seq);
        }
        return builder.build();
    }

    /** The seqs from first to last, both included. */
    public static EventSeqs range(long first, long last) {
        return new Builder().addRange(first, last).build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Parses {@link #toText()}. */
    public static EventSeqs parse(String text) {
        Builder builder = new Builder();
        if (text.isEmpty()) {
            return NONE;
        }
        for (String part : text.split(",", -1)) {
            int dash = part.indexOf('-', 1);
            try {
                if (dash < 0) {
                    builder.add(Long.parseLong(part));
                } else {
                    builder.addRange(
                            Long.parseLong(part, 0, dash, 10), Long.parseLong(part, dash + 1, part.length(), 10));
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("expected seqs such as 5,3,10-12, found \"" + part + "\"", e);
            }
        }
        return builder.build();
    }

    /** This list followed by one more seq. */
    public EventSeqs and(long seq) {
        return new Builder().addAll(this).add(seq).build();
    }

    /** This list followed by the other. */
    public EventSeqs and(EventSeqs other) {
        return new Builder().addAll(this).addAll(other).build();
    }

    /** How many seqs the list holds. */
    public long size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Whether the seq is in the list. Cost: O(runs). */
    public boolean contains(long seq) {
        for (int i = 0; i < runs.length; i += 2) {
            if (seq >= runs[i] && seq <= runs[i + 1]) {
                return true;
            }
        }
        return false;
    }

    /** The largest seq, empty for an empty list. Cost: O(runs). */
    public OptionalLong max() {
        OptionalLong max = OptionalLong.empty();
        for (int i = 1; i < runs.length; i += 2) {
            max = OptionalLong.of(Math.max(runs[i], max.orElse(0)));
        }
        return max;
    }

    /** A seq that stands twice, empty if there is none. Cost: O(runs log runs). */
    public OptionalLong duplicate() {
        if (runs.length <= 2) {
            return OptionalLong.empty();
        }
        boolean ascending = true;
        for (int i = 2; i < runs.length && ascending; i += 2) {
            ascending = runs[i] > runs[i - 1];
        }
        if (ascending) {
            return OptionalLong.empty();
        }
        Integer[] order = new Integer[runs.length / 2];
        Arrays.setAll(order, i -> i * 2);
        Arrays.sort(order, (a, b) -> Long.compare(runs[a], runs[b]));
        for (int i = 1; i < order.length; i++) {
            if (runs[order[i]] <= runs[order[i - 1] + 1]) {
                return OptionalLong.of(runs[order[i]]);
            }
        }
        return OptionalLong.empty();
    }

    /** The first of these seqs that the list lacks, empty if it holds them all. Cost: O(size of both). */
    public OptionalLong firstMissing(long[] wanted) {
        if (runs.length <= 32) {
            return Arrays.stream(wanted).filter(seq -> !contains(seq)).findFirst();
        }
        Set<Long> have = new HashSet<>();
        forEach(have::add);
        return Arrays.stream(wanted).filter(seq -> !have.contains(seq)).findFirst();
    }

    /** How many runs of ascending neighbours the list is held as. */
    public int runs() {
        return runs.length / 2;
    }

    /** Calls the action with the first and the last seq of each run, in order. */
    public void forEachRun(RunAction action) {
        for (int i = 0; i < runs.length; i += 2) {
            action.accept(runs[i], runs[i + 1]);
        }
    }

    /** Calls the action with each seq in order. */
    public void forEach(LongConsumer action) {
        for (int i = 0; i < runs.length; i += 2) {
            for (long seq = runs[i]; seq <= runs[i + 1]; seq++) {
                action.accept(seq);
            }
        }
    }

    public LongStream stream() {
        return Arrays.stream(toArray());
    }

    public long[] toArray() {
        long[] all = new long[Math.toIntExact(size)];
        int at = 0;
        for (int i = 0; i < runs.length; i += 2) {
            for (long seq = runs[i]; seq <= runs[i + 1]; seq++) {
                all[at++] = seq;
            }
        }
        return all;
    }

    /** The seqs as a JSON array of numbers. */
    public JsonArray toJson() {
        List<Json> items = new ArrayList<>(Math.toIntExact(size));
        forEach(seq -> items.add(JsonNumber.of(seq)));
        return JsonArray.of(items);
    }

    /** Length of the JSON array. Cost: O(runs). */
    long jsonLength() {
        double length = 2 + Math.max(0, size - 1); // a sum beyond the longs only has to stay beyond every limit
        for (int i = 0; i < runs.length; i += 2) {
            long first = runs[i];
            while (first <= runs[i + 1]) {
                int digits = Long.toString(first).length();
                long last = Math.min(runs[i + 1], (long) Math.pow(10, digits) - 1);
                length += (double) (last - first + 1) * digits;
                first = last + 1;
            }
        }
        return (long) length;
    }

    /** The order-keeping text form, runs of three or more as ranges: {@code 5,3,10-12}. */
    public String toText() {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < runs.length; i += 2) {
            if (i > 0) {
                out.append(',');
            }
            out.append(runs[i]);
            if (runs[i + 1] > runs[i]) {
                out.append(runs[i + 1] == runs[i] + 1 ? ',' : '-').append(runs[i + 1]);
            }
        }
        return out.toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EventSeqs that && Arrays.equals(runs, that.runs);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(runs);
    }

    @Override
    public String toString() {
        return toText();
    }

    /** What is done with a run of seqs. */
    @FunctionalInterface
    public interface RunAction {

        /** Takes the seqs from first to last, both included. */
        void accept(long first, long last);
    }

    /** Collects seqs in order, joining ascending neighbours. Not safe for use by several threads. */
    public static final class Builder {

        private long[] runs = new long[4];
        private int length;
        private long size;

        private Builder() {}

        public Builder add(long seq) {
            return addRange(seq, seq);
        }

        /** Adds the seqs from first to last, both included. */
        public Builder addRange(long first, long last) {
            if (first < 0 || last < first || last > JsonNumber.MAX_SAFE) {
                throw new IllegalArgumentException(
                        "expected seqs from 0 to 2^53-1 in ascending order, found " + first + " to " + last);
            }
            size += last - first + 1;
            if (length > 0 && runs[length - 1] + 1 == first) {
                runs[length - 1] = last;
                return this;
            }
            if (length == runs.length) {
                runs = Arrays.copyOf(runs, length * 2);
            }
            runs[length++] = first;
            runs[length++] = last;
            return this;
        }

        public Builder addAll(EventSeqs seqs) {
            for (int i = 0; i < seqs.runs.length; i += 2) {
                addRange(seqs.runs[i], seqs.runs[i + 1]);
            }
            return this;
        }

        public EventSeqs build() {
            return length == 0 ? NONE : new EventSeqs(Arrays.copyOf(runs, length), size);
        }
    }
}
