package io.surfacelog.projection;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.surface.LogReader;
import java.util.function.Consumer;

/** The stored log of one session, which counts what it hands out. */
final class StoredLog implements LogReader {

    private final EventStore store;
    private final SessionId id;
    private long notChunks;

    StoredLog(EventStore store, SessionId id) {
        this.store = store;
        this.id = id;
    }

    @Override
    public void forEach(long from, long to, Consumer<SessionEvent> action) {
        store.forEach(id, EventRange.of(from, to), action);
    }

    @Override
    public void forEachButChunks(long from, long to, Consumer<SessionEvent> action) {
        store.forEach(id, EventRange.of(from, to).kind(EventRange.Kind.NOT_CHUNK), event -> {
            notChunks++;
            action.accept(event);
        });
    }

    /** How many events other than chunks were read as such. */
    long notChunks() {
        return notChunks;
    }
}
