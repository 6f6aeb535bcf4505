package io.surfacelog.stream;

/** What becomes of a subscriber that falls further behind than its buffer. Neither slows a writer or skips an event. */
public enum WhenSlow {
    /** It is left alone: its delivery waits for it and reads on from the store later. */
    BLOCK,
    /** Its subscription ends with a {@link SubscriberTooSlowException}, which says where to go on. */
    DISCONNECT
}
