package io.surfacelog.command;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Where the events of one batch stand, as far as they are named, and with that what its handles mean: those of the batch
 * itself, and those of appends before it. Used by one thread.
 */
final class BatchPlaces {

    private final SessionId session;
    private final Map<EventHandle, EventHandle.Place> named = new LinkedHashMap<>();
    private int index;

    BatchPlaces(SessionId session) {
        this.session = session;
    }

    /** The next draft of the batch as the event it becomes at this seq. */
    SessionEvent next(EventDraft draft, long seq, long now) {
        SessionEvent event = draft.toEvent(seq, now, this::seqOf);
        EventHandle name = draft.name();
        if (name != null && named.put(name, new EventHandle.Place(session, seq)) != null) {
            throw EventHandleException.namesTwo(session, index);
        }
        index++;
        return event;
    }

    private long seqOf(EventHandle handle) {
        EventHandle.Place own = named.get(handle);
        OptionalLong seq = own == null ? handle.seqIn(session) : OptionalLong.of(own.seq());
        return seq.orElseThrow(() -> EventHandleException.namesNothing(session, index));
    }

    /** Has the handles name their events, all or none. */
    void name() {
        int at = 0;
        for (Map.Entry<EventHandle, EventHandle.Place> one : named.entrySet()) {
            if (!one.getKey().name(one.getValue())) {
                named.entrySet().stream()
                        .limit(at)
                        .forEach(done -> done.getKey().forget(done.getValue()));
                throw EventHandleException.namesTwo(session, at);
            }
            at++;
        }
    }

    /** Has those handles name their events that name none. */
    void nameWhereFree() {
        named.forEach(EventHandle::name);
    }

    /** Has the handles name nothing, as far as they name events of this batch. */
    void forget() {
        named.forEach(EventHandle::forget);
    }
}
