package io.surfacelog.compaction;

import io.surfacelog.event.SurfacelogException;

/** A {@link Summarizer} could not make a summary that can be used. */
public final class SummaryException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    private final CompactionFault fault;

    /**
     * @param fault what went wrong
     * @param message what was expected and what was found
     */
    public SummaryException(CompactionFault fault, String message) {
        super(message);
        this.fault = fault;
    }

    /** The same, for this cause. */
    public SummaryException(CompactionFault fault, String message, Throwable cause) {
        super(message, cause);
        this.fault = fault;
    }

    /** What went wrong. */
    public CompactionFault fault() {
        return fault;
    }
}
