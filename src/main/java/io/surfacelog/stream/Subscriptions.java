package io.surfacelog.stream;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoredCommit;
import io.surfacelog.store.StoredSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The subscriptions of one stream, and what they have in common: the recent commits, and a look at the store, from time to
 * time, for what other processes have committed. Costs nothing while there are none.
 */
final class Subscriptions implements Courier.Recipient {

    private static final Logger LOG = LoggerFactory.getLogger(Subscriptions.class);
    private static final int PAGE = 256;

    /** Of those that hear one session, so many are looked for at a time: whether it is still there. */
    private static final int SESSIONS_LOOKED_FOR = 16;

    private final EventStore store;
    private final EventDispatcher dispatcher;
    private final Duration pollInterval;
    private final RecentCommits recent;
    private volatile List<SubscriptionFeed> feeds = List.of();
    private int lookedFor;
    private boolean polling;
    private boolean closed;

    Subscriptions(EventStore store, EventDispatcher dispatcher, StreamSettings settings) {
        this.store = store;
        this.dispatcher = dispatcher;
        this.pollInterval = settings.pollInterval();
        this.recent = new RecentCommits(settings.bufferSize());
    }

    RecentCommits recent() {
        return recent;
    }

    /** From now on it is told of commits; what was committed before, it finds in the store. Returns false if it is closed. */
    boolean join(SubscriptionFeed feed) {
        synchronized (this) {
            if (closed) {
                return false;
            }
            List<SubscriptionFeed> joined = new ArrayList<>(feeds);
            joined.add(feed);
            feeds = List.copyOf(joined);
            if (joined.size() == 1) {
                dispatcher.join(this);
                startPolling();
                // before another joins, who would read all of that
                stored(store.lastPosition());
                return true;
            }
        }
        // with their sessions: those that are on their way to the others count for them, also if they are known from
        // here
        poll();
        return true;
    }

    synchronized void leave(SubscriptionFeed feed) {
        List<SubscriptionFeed> left = new ArrayList<>(feeds);
        if (left.remove(feed) && left.isEmpty()) {
            dispatcher.leave(this);
            recent.clear();
        }
        feeds = List.copyOf(left);
        notifyAll();
    }

    List<SubscriptionFeed> feeds() {
        return feeds;
    }

    /** Lets nobody join any more. Returns those there are. */
    synchronized List<SubscriptionFeed> close() {
        closed = true;
        notifyAll();
        return feeds;
    }

    @Override
    public synchronized boolean commit(CommittedEvents commit) {
        long before = recent.knownTo();
        if (!recent.add(commit)) {
            return false;
        }
        boolean gap = commit.position() > before + 1;
        boolean awaited = false;
        for (SubscriptionFeed feed : feeds) {
            if (gap) {
                awaited |= feed.offer(null, commit.position() - 1);
            }
            awaited |= feed.offer(commit.session(), commit.position());
        }
        return awaited;
    }

    @Override
    public synchronized void stored(long position) {
        if (recent.knows(position)) {
            feeds.forEach(feed -> feed.offer(null, position));
        }
    }

    /** Commits that were found in the store, which holds nothing else up to this position. */
    private synchronized void found(List<StoredCommit> commits, long upTo) {
        long before = recent.knownTo();
        if (!recent.knows(upTo)) {
            return;
        }
        for (SubscriptionFeed feed : feeds) {
            for (StoredCommit commit : commits) {
                if (commit.position() > before) {
                    feed.offer(commit.session(), commit.position());
                }
            }
            feed.offer(null, upTo);
        }
    }

    private void startPolling() {
        if (polling) {
            return;
        }
        polling = true;
        Thread thread = new Thread(this::pollAgainAndAgain, "surfacelog-poll");
        thread.setDaemon(true);
        thread.start();
    }

    private void pollAgainAndAgain() {
        while (awaitNextPoll()) {
            try {
                poll();
                lookForSessions();
            } catch (Throwable e) {
                LOG.debug("what other processes have committed is looked for again in {}", pollInterval, e);
            }
        }
    }

    /** Returns false if there is nobody to poll for any more. */
    private synchronized boolean awaitNextPoll() {
        long until = System.nanoTime() + pollInterval.toNanos();
        for (long left = until - System.nanoTime();
                left > 0 && !feeds.isEmpty() && !closed;
                left = until - System.nanoTime()) {
            try {
                wait(left / 1_000_000, (int) (left % 1_000_000));
            } catch (InterruptedException e) {
                LOG.trace("interrupted", e);
            }
        }
        polling = !feeds.isEmpty() && !closed;
        return polling;
    }

    private void poll() {
        long last = store.lastPosition();
        while (recent.knownTo() < last) {
            List<StoredCommit> page = store.commits(recent.knownTo(), PAGE);
            found(page, page.size() < PAGE ? last : page.get(page.size() - 1).position());
        }
    }

    private void lookForSessions() {
        List<SubscriptionFeed> all = feeds;
        int looked = 0;
        for (int i = 0; i < all.size() && looked < SESSIONS_LOOKED_FOR; i++) {
            SubscriptionFeed feed = all.get(Math.floorMod(lookedFor++, all.size()));
            if (feed.session() != null) {
                looked++;
                if (store.find(feed.session()).map(StoredSession::ordinal).orElse(0L) != feed.ordinal()) {
                    feed.sessionRemoved();
                }
            }
        }
    }
}
