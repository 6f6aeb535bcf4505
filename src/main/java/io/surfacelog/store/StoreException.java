package io.surfacelog.store;

import io.surfacelog.event.SurfacelogException;

/** The store could not do what was asked; nothing was changed. Subclasses say why. */
public abstract class StoreException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    protected StoreException(String message) {
        super(message);
    }

    protected StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
