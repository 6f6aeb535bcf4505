package io.surfacelog.command;

import io.surfacelog.event.JsonText;
import io.surfacelog.event.LogOnlyPayload;
import io.surfacelog.event.Payload;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfaceOp;
import io.surfacelog.event.SurfacePayload;
import java.util.List;
import java.util.function.ToLongFunction;
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
    private final IntentHandles handles;
    private final @Nullable EventHandle name;
    private final boolean ignorable;
    private final @Nullable Long time;

    private EventDraft(
            String type,
            JsonText data,
            @Nullable SurfaceIntent intent,
            IntentHandles handles,
            @Nullable EventHandle name,
            boolean ignorable,
            @Nullable Long time) {
        this.type = type;
        this.data = data;
        this.intent = intent;
        this.handles = handles;
        this.name = name;
        this.ignorable = ignorable;
        this.time = time;
    }

    private static EventDraft of(Payload payload, @Nullable SurfaceIntent intent) {
        return new EventDraft(
                payload.type(), JsonText.of(payload.json()), intent, IntentHandles.NONE, null, false, null);
    }

    /** A surface event with how it joins. */
    public static EventDraft of(SurfacePayload payload, SurfaceIntent intent) {
        return of((Payload) payload, intent);
    }

    /** A log-only event. */
    public static EventDraft of(LogOnlyPayload payload) {
        return of(payload, null);
    }

    /** For untyped doors: admission applies the rule that a surface type has an intent and no other has one. */
    public static EventDraft untyped(Payload payload, @Nullable SurfaceIntent intent) {
        return of(payload, intent);
    }

    /** The same draft, which readers that do not know the type may pass over. */
    public EventDraft ignorable() {
        return new EventDraft(type, data, intent, handles, name, true, time);
    }

    /** The same draft with a time of its own, Unix epoch milliseconds. */
    public EventDraft at(long millis) {
        return new EventDraft(type, data, intent, handles, name, ignorable, millis);
    }

    /** The same draft with a handle that others can cite and replace it by. */
    public EventDraft named(EventHandle handle) {
        return new EventDraft(type, data, intent, handles, handle, ignorable, time);
    }

    /**
     * The same draft, which also cites the events these handles name, after those that its intent cites by number.
     *
     * @throws IllegalStateException if it has no intent
     */
    public EventDraft citing(EventHandle... sources) {
        return citing(List.of(sources));
    }

    /** As {@link #citing(EventHandle...)}. */
    public EventDraft citing(List<EventHandle> sources) {
        return with(handles.citing(sources));
    }

    /**
     * The same draft, which takes the place of the nodes from start to end, both included, instead of what its intent
     * says; it must cite them all.
     *
     * @throws IllegalStateException if it has no intent
     */
    public EventDraft replacing(EventHandle start, EventHandle end) {
        return with(handles.replacing(new IntentHandles.Replaced(start, 0, end)));
    }

    /** As {@link #replacing(EventHandle, EventHandle)}, from a node that is durable already. */
    public EventDraft replacing(long start, EventHandle end) {
        return with(handles.replacing(new IntentHandles.Replaced(null, start, end)));
    }

    private EventDraft with(IntentHandles more) {
        if (intent == null) {
            throw new IllegalStateException(
                    "a draft of type " + type + " without an intent cites and replaces nothing");
        }
        return new EventDraft(type, data, intent, more, name, ignorable, time);
    }

    @Nullable
    EventHandle name() {
        return name;
    }

    public String type() {
        return type;
    }

    /**
     * The event this draft becomes at a place of a log; its own time, if set, takes precedence.
     *
     * @throws IllegalStateException if it cites or replaces by handle, which only a log can resolve
     */
    public SessionEvent toEvent(long seq, long now) {
        return toEvent(seq, now, handle -> {
            throw new IllegalStateException("a draft of type " + type + " that names events by handle is no event yet");
        });
    }

    SessionEvent toEvent(long seq, long now, ToLongFunction<EventHandle> seqs) {
        SurfaceIntent resolved = intent == null ? null : handles.resolve(intent, seqs);
        return SessionEvent.of(seq, time == null ? now : time, type, data, resolved, ignorable);
    }

    /** Whether the intent names an event by a number in [from, to). */
    boolean namesEventBetween(long from, long to) {
        if (intent == null) {
            return false;
        }
        IntentHandles.Replaced replaced = handles.replaced();
        if (replaced != null) {
            if (replaced.start() == null && within(replaced.startSeq(), from, to)) {
                return true;
            }
        } else if (intent.op() instanceof SurfaceOp.Replace replace
                && (within(replace.start(), from, to) || within(replace.end(), from, to))) {
            return true;
        }
        return intent.sourcesOrNone().stream().anyMatch(seq -> within(seq, from, to));
    }

    private static boolean within(long seq, long from, long to) {
        return seq >= from && seq < to;
    }
}
