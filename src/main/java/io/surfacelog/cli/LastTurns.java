package io.surfacelog.cli;

import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import java.util.List;

/** Where in a long log to begin, so that somebody sees what was said last. */
final class LastTurns {

    private static final int TURNS = 10;
    private static final long PAGE = 1_000;
    private static final long MOST = 20_000;

    private LastTurns() {}

    /** The seq at which the tenth turn from the end begins, or where so many events have gone by. */
    static long begin(SessionQueries queries, SessionId session, long nextSeq) {
        int turns = 0;
        long begin = nextSeq;
        for (long to = nextSeq; to > 0 && nextSeq - to < MOST; to -= PAGE) {
            List<SessionEvent> page = queries.events(session, Math.max(0, to - PAGE), to);
            for (int i = page.size() - 1; i >= 0; i--) {
                if (page.get(i).type().equals(EventType.TURN_START)) {
                    begin = page.get(i).seq();
                    turns++;
                    if (turns == TURNS) {
                        return begin;
                    }
                }
            }
        }
        return nextSeq <= MOST ? 0 : begin;
    }
}
