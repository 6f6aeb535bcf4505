package io.surfacelog.event;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a surface event joins the surface, and which earlier events it comes from.
 *
 * <pre>{@code
 * SurfaceIntent.append();                          // at the end, provenance not recorded
 * SurfaceIntent.append().citing(4, 5, 6);          // at the end, made of events 4, 5 and 6
 * SurfaceIntent.replace(2, 9).citing(EventSeqs.range(2, 9));
 * }</pre>
 *
 * <p>A replace must cite every node that it takes off the surface; it may cite more. An empty list of sources is only
 * for an assistant message whose stream is known to have been empty.
 */
public final class SurfaceIntent {

    private static final SurfaceIntent APPEND = new SurfaceIntent(SurfaceOp.append(), null);

    private final SurfaceOp op;
    private final @Nullable EventSeqs sources;

    private SurfaceIntent(SurfaceOp op, @Nullable EventSeqs sources) {
        this.op = op;
        this.sources = sources;
    }

    /** Joins at the end of the surface. */
    public static SurfaceIntent append() {
        return APPEND;
    }

    /** Takes the place of the nodes from start to end, both included, by position. */
    public static SurfaceIntent replace(long start, long end) {
        return new SurfaceIntent(SurfaceOp.replace(start, end), null);
    }

    public static SurfaceIntent of(SurfaceOp op, Optional<EventSeqs> sources) {
        return new SurfaceIntent(Objects.requireNonNull(op, "op"), sources.orElse(null));
    }

    /** The same intent, citing these earlier events in this order. */
    public SurfaceIntent citing(long... seqs) {
        return citing(EventSeqs.of(seqs));
    }

    /** The same intent, citing these earlier events in this order. */
    public SurfaceIntent citing(EventSeqs seqs) {
        return new SurfaceIntent(op, Objects.requireNonNull(seqs, "seqs"));
    }

    public SurfaceOp op() {
        return op;
    }

    /** The events cited; empty when they were not recorded, which differs from an empty list. */
    public Optional<EventSeqs> sources() {
        return Optional.ofNullable(sources);
    }

    /** The events cited, none when they were not recorded. */
    public EventSeqs sourcesOrNone() {
        return sources == null ? EventSeqs.NONE : sources;
    }

    public boolean isAppend() {
        return op instanceof SurfaceOp.Append;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SurfaceIntent that && op.equals(that.op) && Objects.equals(sources, that.sources);
    }

    @Override
    public int hashCode() {
        return Objects.hash(op, sources);
    }

    @Override
    public String toString() {
        return op.toJson().toText() + (sources == null ? "" : " citing [" + sources + "]");
    }
}
