package io.surfacelog.surface;

import io.surfacelog.event.EventType;
import io.surfacelog.event.Message;
import io.surfacelog.event.PayloadRules;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfacePayload;
import org.jspecify.annotations.Nullable;

/** One event on the surface, and the message the model sees for it. Immutable and safe for use by several threads. */
public final class SurfaceNode {

    private final SessionEvent event;
    private final boolean derivesMessage;
    private @Nullable Message message;

    SurfaceNode(SessionEvent event) {
        this.event = event;
        this.derivesMessage = !event.type().equals(EventType.ASSISTANT_MESSAGE)
                || !PayloadRules.hasEmptyContent(event.data().value());
    }

    public long seq() {
        return event.seq();
    }

    public SessionEvent event() {
        return event;
    }

    /** Length of the event's data as compact JSON. */
    int textLength() {
        return event.data().text().length();
    }

    /** Whether the model sees a message for this node; an assistant message with empty content derives none. */
    public boolean derivesMessage() {
        return derivesMessage;
    }

    /**
     * The message, verbatim. Cost: O(message) the first time, O(1) after.
     *
     * @throws IllegalStateException if the node {@linkplain #derivesMessage() derives none}
     */
    public Message message() {
        if (!derivesMessage) {
            throw new IllegalStateException("node " + seq() + " derives no message: its content is empty");
        }
        Message known = message;
        if (known == null) {
            known = ((SurfacePayload) event.payload()).message();
            message = known;
        }
        return known;
    }

    @Override
    public String toString() {
        return seq() + " " + event.type();
    }
}
