package io.surfacelog.command;

/** Unwinds the plan of a write that finds the queue full, so that nobody waits for room inside a lane. */
final class NoRoomException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long bytes;

    NoRoomException(long bytes) {
        super("no room for " + bytes + " bytes", null, false, false);
        this.bytes = bytes;
    }

    long bytes() {
        return bytes;
    }
}
