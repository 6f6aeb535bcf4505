package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Stands for an event that has no seq yet, so that others can cite or replace it: in the same batch, and in appends made
 * before its own is committed.
 *
 * <pre>{@code
 * EventHandle call = EventHandle.create();
 * commands.appendAllAsync(id, List.of(EventDraft.of(ToolCall.of(1, 1, block)).named(call)));
 * commands.appendAllAsync(id, List.of(EventDraft.of(result, SurfaceIntent.append()).citing(call)));
 * }</pre>
 *
 * <p>Unlike a number, it stays right when another process moves the tail: it is resolved whenever an append is planned.
 * A handle names one event of one session, from the moment its append is planned; if that append is not carried out, it
 * names none and may be used again. An append that needs a handle that names no event of its session before it is
 * refused with an {@link EventHandleException}. Handles live in memory only. Safe for use by several threads.
 */
public final class EventHandle {

    private @Nullable Place place;

    private EventHandle() {}

    /** A handle that names no event yet. */
    public static EventHandle create() {
        return new EventHandle();
    }

    /** Where the event stands, or will stand if nobody else moves the tail. */
    record Place(SessionId session, long seq) {}

    /** The seq it stands for in this session, empty if it names no event of it. */
    synchronized OptionalLong seqIn(SessionId session) {
        return place != null && place.session().equals(session) ? OptionalLong.of(place.seq()) : OptionalLong.empty();
    }

    /** Names the event; returns false if it names another one. */
    synchronized boolean name(Place event) {
        if (place != null && !place.equals(event)) {
            return false;
        }
        place = event;
        return true;
    }

    /** Names no event any more, if it named this one. */
    synchronized void forget(Place event) {
        if (event.equals(place)) {
            place = null;
        }
    }
}
