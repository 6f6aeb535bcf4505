package io.surfacelog.command;

import io.surfacelog.event.JsonText;
import io.surfacelog.event.LogOnlyPayload;
import io.surfacelog.event.Payload;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfaceOp;
import io.surfacelog.event.SurfacePayload;
import org.jspecify.annotations.Nullable;

/**
 * An event to be appended; the session gives it its seq and, unless set, its time. Immutable.
 *
 * <pre>{@code
 * EventDraft.of(TurnStart.of(1));
 * EventDraft.of(UserMessage.of("Where is my parcel?"), SurfaceIntent.append());
 * }</pre>
 */
public final class EventDraft {

    private final String type;
    private final JsonText data;
    private final @Nullable SurfaceIntent intent;
    private final boolean ignorable;
    private final @Nullable Long time;

    private EventDraft(
            String type, JsonText data, @Nullable SurfaceIntent intent, boolean ignorable, @Nullable Long time) {
        this.type = type;
        this.data = data;
        this.intent = intent;
        this.ignorable = ignorable;
        this.time = time;
    }

    /** A surface event with how it joins. */
    public static EventDraft of(SurfacePayload payload, SurfaceIntent intent) {
        return new EventDraft(payload.type(), JsonText.of(payload.json()), intent, false, null);
    }

    /** A log-only event. */
    public static EventDraft of(LogOnlyPayload payload) {
        return new EventDraft(payload.type(), JsonText.of(payload.json()), null, false, null);
    }

    /** For untyped doors: admission applies the rule that a surface type has an intent and no other has one. */
    public static EventDraft untyped(Payload payload, @Nullable SurfaceIntent intent) {
        return new EventDraft(payload.type(), JsonText.of(payload.json()), intent, false, null);
    }

    /** A draft with all parts of an event but its seq. */
    static EventDraft of(SessionEvent event) {
        return new EventDraft(event.type(), event.data(), event.intent().orElse(null), event.ignorable(), event.time());
    }

    /** The same draft, which readers that do not know the type may pass over. */
    public EventDraft ignorable() {
        return new EventDraft(type, data, intent, true, time);
    }

    /** The same draft with a time of its own, Unix epoch milliseconds. */
    public EventDraft at(long millis) {
        return new EventDraft(type, data, intent, ignorable, millis);
    }

    public String type() {
        return type;
    }

    /** The event this draft becomes at a place of a log; its own time, if set, takes precedence. */
    public SessionEvent toEvent(long seq, long now) {
        return SessionEvent.of(seq, time == null ? now : time, type, data, intent, ignorable);
    }

    /** Whether the intent names an event by a seq in [from, to). */
    boolean namesEventBetween(long from, long to) {
        if (intent == null) {
            return false;
        }
        if (intent.op() instanceof SurfaceOp.Replace replace
                && (within(replace.start(), from, to) || within(replace.end(), from, to))) {
            return true;
        }
        return intent.sourcesOrNone().stream().anyMatch(seq -> within(seq, from, to));
    }

    private static boolean within(long seq, long from, long to) {
        return seq >= from && seq < to;
    }

    /** Whether a stored event is what this draft became. */
    boolean became(SessionEvent stored) {
        return toEvent(stored.seq(), stored.time()).hasContentOf(stored);
    }
}
