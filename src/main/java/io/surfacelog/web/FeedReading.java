package io.surfacelog.web;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoredCommit;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.stream.StreamPosition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what a client has missed from the store, a little at a time. */
final class FeedReading {

    private static final int COMMITS = 256;
    private static final int EVENTS = 64;

    /** Each client that has missed something holds so much, about. */
    private static final long BYTES = 256 << 10;

    private final EventStore store;

    FeedReading(EventStore store) {
        this.store = store;
    }

    /**
     * What comes next.
     *
     * @param frames what is to be heard
     * @param to the place up to which it was read
     * @param atEnd whether the store held no more
     */
    record Page(List<FeedFrame> frames, StreamPosition to, boolean atEnd) {}

    /**
     * The next page after a place.
     *
     * @throws UnknownSessionException if a session was removed while it was read
     */
    Page after(StreamPosition from, @Nullable SessionId session, long fromSeq) {
        // a place inside a commit lies behind the commit before it
        long whole = from.seq().isPresent() ? from.position() - 1 : from.position();
        List<StoredCommit> commits =
                session == null ? store.commits(whole, COMMITS) : store.commits(session, whole, COMMITS);
        Page page = read(from, commits, fromSeq, session != null && from.position() == 0);
        if (session == null
                && !commits.isEmpty()
                && !store.commits(whole, commits.size()).equals(commits)) {
            // removed meanwhile, and its id perhaps given to another one
            throw new UnknownSessionException(commits.get(0).session());
        }
        return page;
    }

    /**
     * Reads these commits.
     *
     * @param inherits whether the first one also brings what a fork has inherited
     */
    private Page read(StreamPosition from, List<StoredCommit> commits, long fromSeq, boolean inherits) {
        List<FeedFrame> frames = new ArrayList<>();
        StreamPosition to = from;
        long held = 0;
        boolean whole = inherits;
        for (StoredCommit commit : commits) {
            boolean begun = from.seq().isPresent() && commit.position() == from.position();
            long first = Math.max(fromSeq, begun ? from.seq().getAsLong() + 1 : whole ? 0 : commit.from());
            whole = false;
            long room = (long) EVENTS - frames.size();
            if (first < commit.to() && (room <= 0 || held >= BYTES)) {
                return new Page(frames, to, false);
            }
            long end = Math.min(commit.to(), first + room);
            if (first < end) {
                EventRange range = EventRange.of(first, end).bytes(BYTES - held);
                List<SessionEvent> events = store.events(commit.session(), range);
                for (SessionEvent event : events) {
                    to = StreamPosition.after(commit.position(), event.seq());
                    FeedFrame frame = FeedFrame.event(commit.session(), to, event);
                    frames.add(frame);
                    held += frame.bytes().length;
                }
                if (first + events.size() < commit.to()) {
                    return new Page(frames, to, false);
                }
            }
            to = StreamPosition.after(commit.position());
        }
        return new Page(frames, to, commits.size() < COMMITS);
    }

    /** Whether the session is the one that it was; all sessions together always are. */
    boolean isThere(@Nullable SessionId session, long ordinal) {
        return session == null
                || store.find(session).map(StoredSession::ordinal).orElse(0L) == ordinal;
    }

    /** Refuses a place that this store has never come to. */
    void check(StreamPosition position) {
        if (position.position() > store.lastPosition()) {
            throw ProblemException.badRequest("expected a position that this store has come to, found " + position
                    + "; begin without Last-Event-ID");
        }
        if (position.seq().isEmpty()) {
            return;
        }
        long seq = position.seq().getAsLong();
        for (StoredCommit commit : store.commits(position.position() - 1, 1)) {
            // the commit of a removed session is no more; a fork's first one also has what it inherited
            if (commit.position() == position.position() && seq >= commit.to()) {
                throw ProblemException.badRequest("expected a position of an event, found " + position
                        + ", although that commit ends before event " + commit.to());
            }
        }
    }
}
