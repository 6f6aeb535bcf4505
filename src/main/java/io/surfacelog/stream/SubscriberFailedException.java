package io.surfacelog.stream;

/** A subscriber threw on an event, which is the first that another subscription after {@link #position} hears. */
public final class SubscriberFailedException extends StreamException {

    private static final long serialVersionUID = 1L;

    SubscriberFailedException(SessionEventCommitted event, StreamPosition position, Throwable cause) {
        super(
                "the subscriber failed on event " + event.event().seq() + " of session \"" + event.session() + "\" ("
                        + event.event().type() + ", position " + event.streamPosition() + "): " + cause
                        + "; its subscription has ended, and one after position " + position
                        + " begins with this event",
                position,
                cause);
    }
}
