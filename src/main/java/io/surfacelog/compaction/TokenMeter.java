package io.surfacelog.compaction;

import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Prices what a session would ask its model now. Inject it.
 *
 * <pre>{@code
 * TokenCount count = meter.count(id);
 * count.total(); // 84_210: what the provider reported, plus what has joined the surface since, less what has left it
 * }</pre>
 *
 * <p>The price of the last request is known: its provider reported it with the answer, as input (cached and not) and output.
 * To that the meter adds what has joined the surface since, by estimate, and takes off what a replace has hidden; before the
 * first report it estimates everything, system prompt and tools included. A report without input tokens is none. The meter
 * writes nothing.
 *
 * <p>Cost: O(1) where nothing is new, O(new nodes) after appends, O(surface behind its start) after a replace; no text is
 * estimated twice. The first look at a session, or one at a surface older than it has seen, costs O(surface), and where
 * something was replaced since the last report, {@link SessionQueries#surfaceAsOf}. It remembers the price of each node that
 * is held, and of the sessions asked for last 16 bytes for each node. Safe for use by several threads; those that ask for one session wait for each other.
 */
public final class TokenMeter {

    private static final int SESSIONS = 256;
    private static final float LOAD = 0.75f;

    private final SessionQueries queries;
    private final RememberedEstimates estimator;

    // guarded by itself
    private final Map<SessionId, TokenLedger> ledgers;

    /** A meter that remembers 256 sessions. */
    public TokenMeter(SessionQueries queries, TokenEstimator estimator) {
        this(queries, estimator, SESSIONS);
    }

    /** @param sessions how many sessions it remembers, from 1; the others are priced anew when they are asked for */
    public TokenMeter(SessionQueries queries, TokenEstimator estimator, int sessions) {
        if (sessions < 1) {
            throw new IllegalArgumentException("expected to remember sessions from 1, found " + sessions);
        }
        this.queries = queries;
        this.estimator = new RememberedEstimates(estimator);
        this.ledgers = new LinkedHashMap<>(16, LOAD, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<SessionId, TokenLedger> eldest) {
                return size() > sessions;
            }
        };
    }

    /** What estimates are made with. */
    public TokenEstimator estimator() {
        return estimator;
    }

    /**
     * What the next request is expected to cost.
     *
     * @throws io.surfacelog.store.UnknownSessionException if there is no such session
     */
    public TokenCount count(SessionId session) {
        SessionHeader header = queries.header(session);
        TokenLedger ledger = ledger(session, header);
        synchronized (ledger) {
            return ledger.count(queries.surface(session), queries);
        }
    }

    /** The same for a surface that the queries gave of this session. */
    public TokenCount count(SessionId session, Surface surface) {
        TokenLedger ledger = ledger(session, queries.header(session));
        synchronized (ledger) {
            return ledger.at(surface).count(surface, queries);
        }
    }

    /** The surface with what each of its nodes costs. Cost: that of {@link #count}, and O(nodes) for a copy. */
    public PricedSurface priced(SessionId session) {
        TokenLedger ledger = ledger(session, queries.header(session));
        synchronized (ledger) {
            return priced(queries.surface(session), ledger);
        }
    }

    /** The same for a surface that the queries gave of this session. */
    public PricedSurface priced(SessionId session, Surface surface) {
        TokenLedger ledger = ledger(session, queries.header(session));
        synchronized (ledger) {
            return priced(surface, ledger.at(surface));
        }
    }

    private PricedSurface priced(Surface surface, TokenLedger ledger) {
        return new PricedSurface(surface, ledger.count(surface, queries), ledger.costs());
    }

    /** Tokens of what one node derives, by estimate. Cost: O(message) the first time, O(1) while the node is held. */
    public long tokens(SurfaceNode node) {
        return estimator.tokens(node);
    }

    private TokenLedger ledger(SessionId session, SessionHeader header) {
        synchronized (ledgers) {
            TokenLedger known = ledgers.get(session);
            // another session may have been given the id of one that was removed
            if (known != null && known.isOf(header)) {
                return known;
            }
            TokenLedger fresh = new TokenLedger(header, estimator);
            ledgers.put(session, fresh);
            return fresh;
        }
    }
}
