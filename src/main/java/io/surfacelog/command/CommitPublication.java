package io.surfacelog.command;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventStore;
import io.surfacelog.stream.CommittedEvents;
import io.surfacelog.stream.EventDispatcher;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners of commits, in their order. Where the answer to a commit was lost, its position is not known and perhaps
 * not even whether it was made: then listeners read from the store, where it stands in its place. Runs on the leading
 * thread only.
 */
final class CommitPublication {

    private static final Logger LOG = LoggerFactory.getLogger(CommitPublication.class);

    private final EventStore store;
    private final EventDispatcher dispatcher;
    private boolean owing;

    CommitPublication(EventStore store, EventDispatcher dispatcher) {
        this.store = store;
        this.dispatcher = dispatcher;
    }

    void publish(StagedRun run, long position) {
        publish(run.lane().id, run.events(), position);
    }

    void publish(SessionId id, List<SessionEvent> events, long position) {
        if (owing) {
            dispatcher.catchUpTo(position);
            owing = false;
            return;
        }
        dispatcher.dispatch(new CommittedEvents(id, position, events));
    }

    /** A commit was made, or may have been, that listeners were not told of. */
    void owes() {
        owing = true;
    }

    /** Tells listeners of what they were not told of; if the store cannot be read, the next commit does. */
    void tellOfTheRest() {
        if (!owing) {
            return;
        }
        try {
            dispatcher.catchUpTo(store.lastPosition());
            owing = false;
        } catch (Throwable e) {
            LOG.warn("listeners hear of the last commits later: {}", e.toString());
        }
    }
}
