package io.surfacelog.stream;

/** A subscriber that asked for {@link WhenSlow#DISCONNECT} fell further behind than its buffer. Nothing was skipped. */
public final class SubscriberTooSlowException extends StreamException {

    private static final long serialVersionUID = 1L;

    private final int buffer;

    SubscriberTooSlowException(StreamPosition position, int buffer) {
        super(
                "the subscriber has fallen more than " + buffer
                        + " commits behind and is disconnected; it goes on after" + " position " + position
                        + ", with a larger buffer or with BLOCK, which reads on from the store",
                position);
        this.buffer = buffer;
    }

    /** How many commits it was allowed to be behind. */
    public int buffer() {
        return buffer;
    }
}
