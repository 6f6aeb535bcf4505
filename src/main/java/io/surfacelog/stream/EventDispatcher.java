package io.surfacelog.stream;

import io.surfacelog.store.EventStore;
import java.util.List;

/**
 * Hands committed events to the listeners, each on a thread of its own with a bounded buffer. A listener that falls
 * further behind than its buffer reads on from the store, so that the writer never waits and nothing is skipped.
 *
 * <p>{@link #dispatch} is called by the committing thread in commit order and never blocks.
 */
public final class EventDispatcher implements AutoCloseable {

    private final List<ListenerFeed> feeds;

    /**
     * Starts one thread for each listener.
     *
     * @param bufferSize commits a listener may be behind before it reads from the store, from 1
     */
    public EventDispatcher(EventStore store, List<SessionEventListener> listeners, int bufferSize) {
        long from = store.lastPosition();
        this.feeds = listeners.stream()
                .map(listener -> new ListenerFeed(listener, store, from, bufferSize))
                .toList();
        feeds.forEach(ListenerFeed::start);
    }

    /** Takes over one commit. Cost: O(listeners), never blocks. */
    public void dispatch(CommittedEvents committed) {
        for (ListenerFeed feed : feeds) {
            feed.offer(committed);
        }
    }

    /** Lets the listeners finish what is in their buffers, for at most five seconds each, and stops their threads. */
    @Override
    public void close() {
        feeds.forEach(ListenerFeed::finish);
        feeds.forEach(ListenerFeed::awaitEnd);
    }
}
