package io.surfacelog.stream;

import io.surfacelog.event.SurfacelogException;

/** A subscription ended; nothing is lost, since {@link #position} says where another one goes on. */
public abstract class StreamException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    private final String position;

    StreamException(String message, StreamPosition position) {
        super(message);
        this.position = position.toString();
    }

    StreamException(String message, StreamPosition position, Throwable cause) {
        super(message, cause);
        this.position = position.toString();
    }

    /** Behind the last event that was delivered; of one whose handler failed, before that. */
    public StreamPosition position() {
        return StreamPosition.parse(position);
    }
}
