package io.surfacelog.cli;

import io.surfacelog.event.SurfacelogException;

/**
 * Another process serves at the port. Of our own: commands that serve nothing start without Spring, and a class that
 * catches an exception has its class loaded.
 */
final class PortTakenException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    PortTakenException(int port, Throwable cause) {
        super("Port " + port + " is already in use; stop who has it, or name another by --port.", cause);
    }
}
