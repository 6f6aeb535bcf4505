package io.surfacelog.model;

import io.surfacelog.event.SurfacelogException;

/** An attempt was cancelled while its model was still streaming; for the port to let through. */
public final class ModelCancelledException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    public ModelCancelledException() {
        super("the attempt was cancelled: what the model still says is not recorded");
    }
}
