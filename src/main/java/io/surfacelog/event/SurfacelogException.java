package io.surfacelog.event;

/**
 * The one unchecked root of everything Surfacelog throws on purpose. Each subclass carries its facts as fields; its
 * message says what happened, where, what was expected, what was found, and what to do.
 */
public abstract class SurfacelogException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    protected SurfacelogException(String message) {
        super(message);
    }

    protected SurfacelogException(String message, Throwable cause) {
        super(message, cause);
    }
}
