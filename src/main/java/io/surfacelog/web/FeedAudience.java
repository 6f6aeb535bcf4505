package io.surfacelog.web;

import io.surfacelog.event.SessionId;
import io.surfacelog.stream.SessionEventCommitted;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who hear what is committed, by what they want to hear. Safe for use by several threads. */
final class FeedAudience {

    private static final Logger LOG = LoggerFactory.getLogger(FeedAudience.class);

    private final FeedReading reading;
    private final Set<FeedClient> ofAll = ConcurrentHashMap.newKeySet();
    private final Map<SessionId, Listeners> ofOne = new ConcurrentHashMap<>();

    /** Those of one session. */
    private static final class Listeners {

        private final Set<FeedClient> clients = ConcurrentHashMap.newKeySet();

        /** Used by the one thread that hands on. */
        private long nextSeq = -1;
    }

    FeedAudience(FeedReading reading) {
        this.reading = reading;
    }

    void add(FeedClient client) {
        SessionId session = client.session();
        if (session == null) {
            ofAll.add(client);
        } else {
            ofOne.compute(session, (id, known) -> {
                Listeners listeners = known == null ? new Listeners() : known;
                listeners.clients.add(client);
                return listeners;
            });
        }
    }

    void remove(FeedClient client) {
        SessionId session = client.session();
        if (session == null) {
            ofAll.remove(client);
        } else {
            ofOne.computeIfPresent(session, (id, listeners) -> {
                listeners.clients.remove(client);
                return listeners.clients.isEmpty() ? null : listeners;
            });
        }
    }

    /** Hands an event on to all who want to hear it; made into bytes once. Called by one thread. */
    void hear(SessionEventCommitted committed) {
        Listeners listeners = ofOne.get(committed.session());
        if (ofAll.isEmpty() && listeners == null) {
            return;
        }
        FeedFrame frame = FeedFrame.event(committed.session(), committed.streamPosition(), committed.event());
        ofAll.forEach(client -> client.offer(frame));
        if (listeners == null) {
            return;
        }
        long seq = committed.event().seq();
        boolean goesOn = seq == listeners.nextSeq;
        listeners.nextSeq = seq + 1;
        for (FeedClient client : listeners.clients) {
            // the id may have been given to another session since
            if (goesOn || reading.isThere(committed.session(), client.ordinal())) {
                if (seq >= client.fromSeq()) {
                    client.offer(frame);
                }
            } else {
                endRemoved(client);
            }
        }
    }

    /** Ends the feeds of sessions that are no more. Cost: a look-up for each session that is listened to. */
    void endRemoved() {
        ofOne.forEach((session, listeners) -> listeners.clients.forEach(client -> {
            if (!reading.isThere(session, client.ordinal())) {
                endRemoved(client);
            }
        }));
    }

    static void endRemoved(FeedClient client) {
        SessionId session = Objects.requireNonNull(client.session());
        LOG.debug("the feed of a removed session ends");
        client.end(FeedFrame.removed(session));
    }
}
