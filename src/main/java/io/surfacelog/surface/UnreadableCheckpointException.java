package io.surfacelog.surface;

import io.surfacelog.event.SurfacelogException;

/**
 * A checkpoint is of another version, is no checkpoint, or does not fit its log. Nothing is lost: the log holds all that
 * a checkpoint says, and a fold from its beginning replaces it.
 */
public final class UnreadableCheckpointException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    UnreadableCheckpointException(String message) {
        super(message);
    }
}
