package io.surfacelog.surface;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceOp;
import java.util.Optional;

/**
 * One line of what a person saw: a message in the place where it was appended, or the mark of a replace.
 *
 * @param event a surface event of the log
 */
public record TranscriptEntry(SessionEvent event) {

    public TranscriptEntry {
        if (!event.isSurface()) {
            throw new IllegalArgumentException("event " + event.seq() + " of type " + event.type()
                    + " never joins the surface, so it has no place in a transcript");
        }
    }

    /** The replace that it marks; empty for something a person saw. */
    public Optional<SurfaceOp.Replace> replace() {
        return event.intent()
                .map(intent -> intent.op())
                .filter(SurfaceOp.Replace.class::isInstance)
                .map(SurfaceOp.Replace.class::cast);
    }
}
