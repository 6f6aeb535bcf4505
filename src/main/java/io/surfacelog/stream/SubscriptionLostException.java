package io.surfacelog.stream;

/** Somebody else has taken over a durable subscription: this process did not renew its hold in time, or was told to forget it. */
public final class SubscriptionLostException extends StreamException {

    private static final long serialVersionUID = 1L;

    private final String name;

    SubscriptionLostException(String name, StreamPosition position) {
        super(
                "the durable subscription \"" + name
                        + "\" was taken over or forgotten while this process held it; it had"
                        + " heard of everything up to position " + position
                        + ", and what was not kept of that is delivered again: subscribe once more to stand by",
                position);
        this.name = name;
    }

    public String name() {
        return name;
    }
}
