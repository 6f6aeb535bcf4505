package io.surfacelog.web;

import io.surfacelog.event.EventPlace;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import java.util.List;
import java.util.OptionalLong;

/** Finds where a model attempt began: its first chunk, or its assistant message where it has none (format, section 5). */
final class Attempt {

    private static final int PAGE = 256;
    private static final String RETRY = "llm/retry";

    private final SessionQueries queries;
    private final SessionId session;

    Attempt(SessionQueries queries, SessionId session) {
        this.queries = queries;
        this.session = session;
    }

    /**
     * Seq of the first event of the attempt that an event of a step belongs to; empty where it belongs to none. Cost:
     * O(events of the step).
     */
    OptionalLong beginOf(long seq) {
        SessionEvent event = queries.event(session, seq);
        EventPlace place = event.place();
        if (place.turn() < 1 || place.step() < 1) {
            return OptionalLong.empty();
        }
        if (event.type().equals(EventType.STEP_START)) {
            return firstBehind(seq, place);
        }
        // what follows a message is of the attempt that the message ended
        boolean inside = isChunk(event) || isAnswer(event);
        OptionalLong last = inside ? OptionalLong.of(seq) : lastBefore(seq, place);
        return last.isEmpty() ? last : OptionalLong.of(firstOf(last.getAsLong(), place));
    }

    private OptionalLong firstBehind(long seq, EventPlace place) {
        for (long from = seq + 1; ; from += PAGE) {
            List<SessionEvent> page = queries.events(session, from, from + PAGE);
            for (SessionEvent event : page) {
                if (isOf(place, event) && (isChunk(event) || isAnswer(event))) {
                    return OptionalLong.of(event.seq());
                }
                if (isBoundary(event)) {
                    return OptionalLong.empty();
                }
            }
            if (page.size() < PAGE) {
                return OptionalLong.empty();
            }
        }
    }

    private OptionalLong lastBefore(long seq, EventPlace place) {
        for (long to = seq; to > 0; to -= PAGE) {
            List<SessionEvent> page = queries.events(session, Math.max(0, to - PAGE), to);
            for (int i = page.size() - 1; i >= 0; i--) {
                SessionEvent event = page.get(i);
                if (isOf(place, event) && (isChunk(event) || isAnswer(event))) {
                    return OptionalLong.of(event.seq());
                }
                if (isBoundary(event)) {
                    return OptionalLong.empty();
                }
            }
        }
        return OptionalLong.empty();
    }

    /** Walks back over the chunks of one attempt. */
    private long firstOf(long last, EventPlace place) {
        long first = last;
        for (long to = last; to > 0; to -= PAGE) {
            List<SessionEvent> page = queries.events(session, Math.max(0, to - PAGE), to);
            for (int i = page.size() - 1; i >= 0; i--) {
                SessionEvent event = page.get(i);
                boolean ends = isBoundary(event)
                        || event.type().equals(RETRY)
                        || (isOf(place, event) && isAnswer(event))
                        || (event.place().finish() && !endsFor(last, event.seq()));
                if (ends) {
                    return first;
                }
                if (isOf(place, event) && isChunk(event)) {
                    first = event.seq();
                }
            }
        }
        return first;
    }

    /** Whether a finish chunk is the one that ends the attempt of the answer directly behind it. */
    private boolean endsFor(long last, long finish) {
        List<SessionEvent> between = queries.events(session, finish + 1, last + 1);
        return between.size() >= 1
                && isAnswer(between.get(between.size() - 1))
                && between.subList(0, between.size() - 1).stream().noneMatch(Attempt::isChunk);
    }

    private static boolean isOf(EventPlace place, SessionEvent event) {
        return event.place().turn() == place.turn() && event.place().step() == place.step();
    }

    private static boolean isChunk(SessionEvent event) {
        return event.type().equals(EventType.ASSISTANT_CHUNK);
    }

    private static boolean isAnswer(SessionEvent event) {
        return event.type().equals(EventType.ASSISTANT_MESSAGE)
                && event.intent().filter(intent -> intent.isAppend()).isPresent();
    }

    private static boolean isBoundary(SessionEvent event) {
        return switch (event.type()) {
            case EventType.STEP_START, EventType.STEP_END, EventType.TURN_START, EventType.TURN_END -> true;
            default -> false;
        };
    }
}
