package io.surfacelog.web;

import io.surfacelog.event.SurfacelogException;
import java.io.Serial;

/**
 * The API over HTTP would be open to other machines without any protection, so the application does not start.
 *
 * <p>Set {@code surfacelog.web.token}, have Spring Security stand before it, bind to this machine only ({@code
 * server.address=127.0.0.1}), or say that it is meant ({@code surfacelog.web.allow-unprotected=true}).
 */
public final class UnprotectedWebException extends SurfacelogException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String address;

    UnprotectedWebException(String address) {
        super("Sessions would be open to whoever reaches " + address
                + ": expected surfacelog.web.token, Spring Security, or server.address=127.0.0.1, found none of them."
                + " Set one, or surfacelog.web.allow-unprotected=true if that is meant.");
        this.address = address;
    }

    /** Where the server listens. */
    public String address() {
        return address;
    }
}
