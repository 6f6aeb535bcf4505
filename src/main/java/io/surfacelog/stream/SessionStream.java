package io.surfacelog.stream;

import io.surfacelog.store.EventStore;
import java.util.concurrent.Flow;

/**
 * The live stream {@code session/event}: every event of one session or of all, from any place on, once and in order. Inject
 * it.
 *
 * <pre>{@code
 * StreamSubscription subscription = stream.subscribe(
 *         StreamRequest.of(id).fromBeginning(), committed -> show(committed.event()));
 * }</pre>
 *
 * <p>A subscription first reads what the store holds and goes over to what is committed while it runs, without a gap and
 * without a repetition: it gets exactly what a replay would give. What this process commits is delivered at once; what other
 * processes commit, within the poll interval. Events come in the order of their commits and, in a commit, of their seqs. Of a
 * fork, one that hears all sessions gets the fork's own events only, since it heard the others as those of the parent; one
 * that hears the fork alone gets the inherited ones too.
 *
 * <p>Each subscription has a thread of its own and is behind nobody but itself. One that does not keep up is treated as its
 * {@link WhenSlow} says; a writer never waits for it, and nothing is skipped. What cannot be read, because it is damaged, ends
 * it with a {@link io.surfacelog.store.DamagedStoreException}; a store that is locked or unavailable for a while is waited for.
 * A subscription to a session that is removed ends with an {@link io.surfacelog.store.UnknownSessionException}; for one to all
 * sessions, what was removed before it was read was never there. All methods may be called by any thread.
 *
 * <p>For code that only wants to hear what this process commits from its start to its end, a {@link SessionEventListener} bean
 * is less to write.
 */
public interface SessionStream extends AutoCloseable {

    /** The stream of this store, which hears of this process's commits from the dispatcher. */
    static SessionStream of(EventStore store, EventDispatcher dispatcher, StreamSettings settings) {
        return new DefaultSessionStream(store, dispatcher, settings);
    }

    /**
     * Calls the listener with each event, on a thread of its own, one after the other. What the listener throws ends the
     * subscription with a {@link SubscriberFailedException}. Cost: a thread, and where it begins from a seq or a position
     * behind which others have committed much, a look at each of those commits.
     *
     * @throws io.surfacelog.store.UnknownSessionException if there is no such session
     * @throws IllegalArgumentException if the store has not come to the position it is to begin at
     * @throws io.surfacelog.store.StoreUnavailableException if the store or this stream is closed
     */
    StreamSubscription subscribe(StreamRequest request, SessionEventListener listener);

    /**
     * The same, with its position kept in the store under a name, so that the next subscription of this name goes on where
     * this one ended, after a crash too. Of all processes that subscribe by one name, one is served; the others stand by and
     * take over when it closes or is not heard of for the {@linkplain StreamSettings#hold() hold}. A process that was
     * suspended for longer than that, in the middle of a handler, may finish that handler beside the next one; it can no
     * longer move the position, and its subscription ends with a {@link SubscriptionLostException}.
     *
     * @throws io.surfacelog.store.UnknownSessionException if there is no such session
     * @throws IllegalArgumentException if the store has not come to the position it is to begin at
     * @throws io.surfacelog.store.StoreUnavailableException if the store or this stream is closed
     */
    StreamSubscription subscribe(DurableRequest request, SessionEventListener listener);

    /**
     * Forgets the position of a durable subscription, so that one of this name begins anew. One that is running ends with a
     * {@link SubscriptionLostException}.
     *
     * @return whether there was one
     */
    boolean forget(String name);

    /**
     * A publisher of the events: each subscriber gets a subscription of its own, which begins when it subscribes, and is
     * called by one thread at a time. Keeps the rules of Reactive Streams. {@code onError} gets what would end a subscription;
     * {@code onComplete} comes when the stream is closed.
     */
    Flow.Publisher<SessionEventCommitted> publisher(StreamRequest request);

    /** Ends all subscriptions after the event that each is handling, waiting for five seconds in all. May be called again. */
    @Override
    void close();
}
