package io.surfacelog.agent;

import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfacelogException;
import org.jspecify.annotations.Nullable;

/**
 * A recorder was asked for what would not be a well-formed turn, or for more than it can still write; nothing was written,
 * and nothing of what it holds was changed.
 */
public final class RecorderException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    private final String session;
    private final String expected;
    private final String found;

    RecorderException(SessionId session, String where, String expected, String found, @Nullable Throwable cause) {
        super(where + " of session \"" + session + "\": expected " + expected + ", found " + found
                + "; nothing was written");
        if (cause != null) {
            initCause(cause);
        }
        this.session = session.value();
        this.expected = expected;
        this.found = found;
    }

    public SessionId session() {
        return SessionId.of(session);
    }

    /** What would have been in order. */
    public String expected() {
        return expected;
    }

    /** What was found instead. */
    public String found() {
        return found;
    }
}
