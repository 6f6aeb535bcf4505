package io.surfacelog.web;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.stream.SessionEventCommitted;
import io.surfacelog.stream.SessionStream;
import io.surfacelog.stream.StreamPosition;
import io.surfacelog.stream.StreamRequest;
import io.surfacelog.stream.StreamSubscription;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Hands what is committed on to all clients: one subscription to all sessions, two threads that read for those who have
 * missed something, and none per client. While there is no client there is no subscription.
 *
 * <p>A client is first read what the store holds. Then it joins those who hear what is committed, and is read once more up
 * to where these had come when it joined: whatever comes later it hears, and what it hears twice is known by its position.
 */
final class Feed implements FeedClient.Owner, SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Feed.class);
    private static final int READERS = 2;
    private static final long AGAIN_MILLIS = 200;

    private final SessionStream stream;
    private final Problems problems;
    private final FeedReading reading;
    private final int maxClients;
    private final ScheduledThreadPoolExecutor readers;
    private final Set<FeedClient> clients = ConcurrentHashMap.newKeySet();
    private final FeedAudience audience;
    private final AtomicInteger reserved = new AtomicInteger();

    /** Guards the beginning and the end of the subscription. */
    private final Object lock = new Object();

    private @Nullable StreamSubscription subscription;
    private volatile boolean running = true;

    /** Behind the last event that was handed on. */
    private volatile StreamPosition handedOn = StreamPosition.BEGINNING;

    Feed(EventStore store, SessionStream stream, WebProperties.Feed settings) {
        this.stream = stream;
        this.problems = new Problems(store);
        this.reading = new FeedReading(store);
        this.audience = new FeedAudience(reading);
        this.maxClients = settings.maxClients();
        AtomicInteger number = new AtomicInteger();
        this.readers = new ScheduledThreadPoolExecutor(READERS, task -> {
            Thread thread = new Thread(task, "surfacelog-feed-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        long beat = settings.heartbeat().toMillis();
        Future<?> unused = readers.scheduleWithFixedDelay(this::beat, beat, beat, TimeUnit.MILLISECONDS);
    }

    FeedReading reading() {
        return reading;
    }

    /** Takes a place for a client, which {@link #left} gives back. */
    void reserve() {
        if (!running || reserved.incrementAndGet() > maxClients) {
            reserved.decrementAndGet();
            throw Problem.of(
                            ProblemType.TOO_MANY_CLIENTS,
                            "expected at most " + maxClients + " clients of the feed, found as many already; try again"
                                    + " later, or raise surfacelog.web.feed.max-clients")
                    .exception();
        }
    }

    /** Gives back a place that no client has taken. */
    void release() {
        reserved.decrementAndGet();
    }

    /** Serves a client from where it stands. */
    void serve(FeedClient client) {
        // its first word, whatever comes as soon as it is one of the clients
        client.read(List.of(FeedFrame.open(client.heard())), client.heard(), true);
        clients.add(client);
        subscribe();
        client.begin();
        if (!running) {
            client.close();
        }
    }

    private void subscribe() {
        synchronized (lock) {
            if (subscription != null || !running) {
                return;
            }
            StreamSubscription begun = stream.subscribe(StreamRequest.all(), this::handOn);
            subscription = begun;
            // what was committed before is not handed on, so whoever joins now has to read it
            advance(begun.position());
            CompletableFuture<Void> unused = begun.ended().whenComplete((nothing, failure) -> ended(begun, failure));
        }
    }

    private void ended(StreamSubscription which, @Nullable Throwable failure) {
        synchronized (lock) {
            if (subscription != which) {
                return;
            }
            subscription = null;
        }
        FeedFrame last = failure == null ? null : FeedFrame.failed(problems.of(failure));
        clients.forEach(client -> client.end(last));
    }

    private synchronized void advance(StreamPosition to) {
        if (to.compareTo(handedOn) > 0) {
            handedOn = to;
        }
    }

    private void handOn(SessionEventCommitted committed) {
        // before the audience is looked at: who joins it too late to be seen there sees this
        advance(committed.streamPosition());
        audience.hear(committed);
    }

    @Override
    public void wantsMore(FeedClient client) {
        later(client, 0);
    }

    private void later(FeedClient client, long millis) {
        try {
            Future<?> unused = readers.schedule(() -> catchUp(client), millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("the feed is stopped", e);
        }
    }

    /** Reads one page for a client, which asks for the next one when it has taken this one in. */
    private void catchUp(FeedClient client) {
        try {
            FeedReading.Page page = reading.after(client.heard(), client.session(), client.fromSeq());
            if (!reading.isThere(client.session(), client.ordinal())) {
                FeedAudience.endRemoved(client);
            } else if (page.atEnd() && page.frames().isEmpty()) {
                join(client, page.to());
            } else {
                client.read(page.frames(), page.to(), true);
            }
        } catch (UnknownSessionException e) {
            // one of all sessions was removed while it was read, and with it its commits
            retry(client);
        } catch (StoreUnavailableException e) {
            if (e.reason() == StoreUnavailableException.Reason.CLOSED) {
                client.end(FeedFrame.failed(problems.of(e)));
            } else {
                retry(client);
            }
        } catch (RuntimeException e) {
            client.end(FeedFrame.failed(problems.of(e)));
        }
    }

    private void retry(FeedClient client) {
        audience.remove(client);
        client.leaveLive();
        later(client, AGAIN_MILLIS);
    }

    private void join(FeedClient client, StreamPosition read) {
        client.joinLive();
        audience.add(client);
        StreamPosition joinedAt = handedOn;
        StreamPosition to = read;
        FeedReading.Page page = reading.after(to, client.session(), client.fromSeq());
        while (!page.frames().isEmpty() || !page.atEnd()) {
            client.read(page.frames(), page.to(), false);
            to = page.to();
            if (to.compareTo(joinedAt) > 0) {
                break;
            }
            page = reading.after(to, client.session(), client.fromSeq());
        }
        if (!reading.isThere(client.session(), client.ordinal())) {
            FeedAudience.endRemoved(client);
            return;
        }
        client.caughtUp(page.to());
        if (!client.isServed()) {
            audience.remove(client);
        }
    }

    /** Ends the feeds of sessions that are no more. */
    void lookForRemovals() {
        try {
            readers.execute(audience::endRemoved);
        } catch (RejectedExecutionException e) {
            LOG.debug("the feed is stopped", e);
        }
    }

    private void beat() {
        try {
            clients.forEach(FeedClient::beat);
            audience.endRemoved();
            endSubscription(true);
        } catch (RuntimeException e) {
            // the next one may find the store in better health
            LOG.warn("a heartbeat of the feed failed", e);
        }
    }

    @Override
    public void left(FeedClient client) {
        if (clients.remove(client)) {
            reserved.decrementAndGet();
        }
        audience.remove(client);
    }

    @Override
    public void start() {
        // it is served as soon as somebody asks
    }

    /** Before the web server waits for the end of all requests, of which these would never end. */
    @Override
    public void stop() {
        running = false;
        // also those that take in nothing
        clients.forEach(FeedClient::close);
        readers.shutdownNow();
        endSubscription(false);
    }

    private void endSubscription(boolean onlyIfIdle) {
        StreamSubscription ends;
        synchronized (lock) {
            if (onlyIfIdle && !clients.isEmpty()) {
                return;
            }
            ends = subscription;
            subscription = null;
        }
        if (ends != null) {
            // without the lock, which its end takes
            ends.close();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
