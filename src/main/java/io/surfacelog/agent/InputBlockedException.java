package io.surfacelog.agent;

import io.surfacelog.event.SurfacelogException;

/** Input for a running turn was blocked and is not in the log. */
public final class InputBlockedException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    public InputBlockedException(String reason) {
        super("the input was blocked and did not reach the model: " + reason);
    }
}
