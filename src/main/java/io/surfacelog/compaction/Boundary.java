package io.surfacelog.compaction;

import java.util.List;

/** What a {@link BoundaryPolicy} says of a range. */
public sealed interface Boundary {

    /**
     * It may be hidden.
     *
     * @param span the range, widened where that was asked for
     */
    record Safe(Span span) implements Boundary {}

    /**
     * It must not be hidden.
     *
     * @param faults why, one or more
     */
    record Unsafe(List<BoundaryFault> faults) implements Boundary {

        public Unsafe {
            faults = List.copyOf(faults);
        }
    }
}
