package io.surfacelog.compaction;

import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfacelogException;
import java.util.List;

/** A range that was asked for must not be taken off the surface; nothing was changed. */
public final class UnsafeBoundaryException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    private final transient List<BoundaryFault> faults;

    UnsafeBoundaryException(SessionId session, long start, long end, List<BoundaryFault> faults) {
        super("the range " + start + " to " + end + " of session \"" + session + "\" cannot be compacted: "
                + faults.get(0).message()
                + (faults.size() > 1 ? " (and " + (faults.size() - 1) + " more)" : ""));
        this.faults = List.copyOf(faults);
    }

    /** Why, one or more. */
    public List<BoundaryFault> faults() {
        return faults;
    }
}
