package io.surfacelog.surface;

import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import java.util.List;
import java.util.function.Consumer;

/** Reads stored events of one session, for the few folds that need more than the surface. */
public interface LogReader {

    /** Calls the action with each event whose seq lies in [from, to), in order. */
    void forEach(long from, long to, Consumer<SessionEvent> action);

    /** The same, but passes over stream chunks, which may be cheaper. */
    void forEachButChunks(long from, long to, Consumer<SessionEvent> action);

    /** Reads a log held in memory, which begins at seq 0. */
    static LogReader of(List<SessionEvent> log) {
        return new LogReader() {

            @Override
            public void forEach(long from, long to, Consumer<SessionEvent> action) {
                log.subList((int) Math.min(from, log.size()), (int) Math.min(to, log.size()))
                        .forEach(action);
            }

            @Override
            public void forEachButChunks(long from, long to, Consumer<SessionEvent> action) {
                forEach(from, to, event -> {
                    if (!event.type().equals(EventType.ASSISTANT_CHUNK)) {
                        action.accept(event);
                    }
                });
            }
        };
    }
}
