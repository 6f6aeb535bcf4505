package io.surfacelog.compaction;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.List;
import java.util.Optional;

/** Finds the last report of a session's provider, on the surface where it can, in the log where it was hidden. */
final class Reports {

    private static final long WINDOW = 1_024;

    private final SessionId session;
    private final SessionQueries queries;
    private final TokenEstimator estimator;

    Reports(SessionId session, SessionQueries queries, TokenEstimator estimator) {
        this.session = session;
        this.queries = queries;
        this.estimator = estimator;
    }

    /**
     * The last report.
     *
     * @param known the last one among the events before {@code from}
     * @param replaced whether there was a replace from there on
     * @param headerSeq the request header in force, -1 for none
     * @param estimated what the surface costs now, header included
     */
    Report latest(
            Surface surface, News news, Report known, long from, boolean replaced, long headerSeq, long estimated) {
        long seen = news.reportSeq();
        if (seen >= 0 && seen > news.lastReplace() && seen > headerSeq) {
            return new Report(seen, news.reported(), estimated - news.tokensBehindReport());
        }
        if (seen < 0 && !replaced) {
            return known;
        }
        // an answer may have joined and been hidden since: only the log knows
        Optional<SessionEvent> hidden =
                replaced ? lastReporting(Math.max(from, seen + 1), surface.nextSeq()) : Optional.empty();
        if (hidden.isPresent()) {
            SessionEvent event = hidden.get();
            return asOf(event.seq(), Report.tokens(event).orElseThrow());
        }
        return seen >= 0 ? asOf(seen, news.reported()) : known;
    }

    private Optional<SessionEvent> lastReporting(long from, long to) {
        for (long end = to; end > from; end -= WINDOW) {
            List<SessionEvent> events = queries.surfaceEvents(session, Math.max(from, end - WINDOW), end);
            for (int i = events.size() - 1; i >= 0; i--) {
                if (Report.tokens(events.get(i)).isPresent()) {
                    return Optional.of(events.get(i));
                }
            }
        }
        return Optional.empty();
    }

    private Report asOf(long seq, long tokens) {
        Surface then = queries.surfaceAsOf(session, seq);
        long estimated = then.requestHeader().map(estimator::tokens).orElse(0L);
        for (SurfaceNode node : then.nodes()) {
            estimated += estimator.tokens(node);
        }
        return new Report(seq, tokens, estimated);
    }
}
