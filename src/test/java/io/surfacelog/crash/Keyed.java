package io.surfacelog.crash;

import io.surfacelog.command.Drafts;
import io.surfacelog.command.EventDraft;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.UserMessage;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import java.util.List;

/** Appends under keys, to a session that several write to: each of them numbers its own. */
final class Keyed {

    private Keyed() {}

    static String key(String writer, int number) {
        return writer + "-" + number;
    }

    static EventDraft draft(String writer, int number) {
        return Drafts.say(key(writer, number));
    }

    /** How many of a writer are stored. */
    static int count(EventStore store, SessionId session, String writer) {
        return (int) texts(store, session).stream()
                .filter(text -> text.startsWith(writer + "-"))
                .count();
    }

    static List<String> texts(EventStore store, SessionId session) {
        return store.events(session, EventRange.all()).stream()
                .filter(SessionEvent::isSurface)
                .map(event -> ((UserMessage) event.payload()).message().text())
                .toList();
    }
}
