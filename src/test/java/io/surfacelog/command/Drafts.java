package io.surfacelog.command;

import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.testing.LogBuilder;
import java.util.List;

/** Drafts as a caller would make them. */
public final class Drafts {

    private Drafts() {}

    /** A draft with all parts of an event but its seq, through the untyped door. */
    public static EventDraft of(SessionEvent event) {
        EventDraft draft = EventDraft.untyped(
                        OpaquePayload.of(event.type(), event.data().value()),
                        event.intent().orElse(null))
                .at(event.time());
        return event.ignorable() ? draft.ignorable() : draft;
    }

    public static List<EventDraft> of(List<SessionEvent> events) {
        return events.stream().map(Drafts::of).toList();
    }

    /** A user message whose id is its text, so that saying it twice is the same content. */
    public static EventDraft say(String text) {
        return EventDraft.of(LogBuilder.userMessage(text), SurfaceIntent.append());
    }
}
