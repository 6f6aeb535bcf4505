package io.surfacelog.surface;

import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;

/**
 * Folds a stored log without reading its stream chunks, and gives exactly the surface that a fold of every event gives.
 * Chunks change little: the time of the last event, where the stream of the open step begins, and what the structure
 * rules find of chunks that stray from their step. For the first two the few chunks that matter are read; for the last
 * see the parameters.
 *
 * <p>Cost: O(events that are no chunks, and chunks of the open step's last attempt).
 */
public final class SparseFold {

    private SparseFold() {}

    /**
     * The surface after the events below a seq.
     *
     * @param from where to begin; no chunk between it and the end {@linkplain Surface#hasStrayChunks() strays}
     * @throws io.surfacelog.event.AdmissionException if an event is refused
     */
    public static Surface of(Surface from, LogReader log, long to, SurfaceRules rules) {
        return folded(from, log, to, rules).surface();
    }

    /**
     * The surface after the events below a seq, for logs in which chunks may stray.
     *
     * @param from where to begin
     * @param later a surface of the same log at that seq or further, which knows what was found of chunks
     * @throws io.surfacelog.event.AdmissionException if an event is refused
     */
    public static Surface of(Surface from, LogReader log, long to, SurfaceRules rules, Surface later) {
        SurfacePlanner planner = folded(from, log, to, rules);
        planner.findAsIn(later);
        return planner.surface();
    }

    private static SurfacePlanner folded(Surface from, LogReader log, long to, SurfaceRules rules) {
        SurfacePlanner planner = from.planner(rules);
        Attempt attempt = new Attempt(from.nextSeq());
        log.forEachButChunks(from.nextSeq(), to, event -> {
            planner.passTo(event.seq());
            planner.fold(EventCandidate.of(event));
            attempt.after(event);
        });
        boolean endsInChunk = planner.nextSeq() < to;
        planner.passTo(to);
        if (endsInChunk) {
            log.forEach(to - 1, to, chunk -> planner.endAt(chunk.time()));
        }
        if (planner.turns().stepOpen()) {
            log.forEach(attempt.begin, to, event -> {
                if (event.type().equals(EventType.ASSISTANT_CHUNK)) {
                    planner.streamed(event);
                }
            });
        }
        return planner;
    }

    /** Where the last attempt may begin. */
    private static final class Attempt {

        private long begin;

        Attempt(long from) {
            this.begin = from;
        }

        void after(SessionEvent event) {
            if (TurnState.endsAttempt(event)) {
                begin = event.seq() + 1;
            }
        }
    }
}
