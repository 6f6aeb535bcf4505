package io.surfacelog.stream;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoredCommit;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.UnknownSessionException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the stream from the store, page by page, for one session or all. An id may be given to a new session once its first
 * one is removed; each page is looked at again when it is read, so that never an event of one is taken for one of the other.
 */
abstract class CommitReading {

    static final int PAGE_COMMITS = 256;
    static final int PAGE_EVENTS = 1_000;
    private static final int ATTEMPTS = 100;

    final EventStore store;

    private final long ordinal;

    private CommitReading(EventStore store, long ordinal) {
        this.store = store;
        this.ordinal = ordinal;
    }

    /** {@linkplain StoredSession#ordinal() Ordinal} of the session that is read, 0 for all. */
    final long ordinal() {
        return ordinal;
    }

    /** What follows a cursor, and the cursor behind it. */
    record Page(List<SessionEventCommitted> events, Cursor end) {}

    /** Part of a commit: its events with seqs from {@code from} to {@code to}, excluded. */
    private record Span(SessionId session, long position, long from, long to) {

        static Span of(StoredCommit commit, long from) {
            return new Span(commit.session(), commit.position(), from, commit.to());
        }

        long size() {
            return to - from;
        }
    }

    static CommitReading of(EventStore store) {
        return new OfAll(store);
    }

    /**
     * Reads one session.
     *
     * @throws UnknownSessionException if there is none of this id
     */
    static CommitReading of(EventStore store, SessionId id) {
        StoredSession session = store.find(id).orElseThrow(() -> new UnknownSessionException(id));
        return new OfSession(store, id, session.ordinal());
    }

    /**
     * The next page.
     *
     * @param known a position that is known to be durable, with all before it
     * @throws UnknownSessionException if the session that is read was removed
     */
    abstract Page read(Cursor cursor, long known);

    /** The events of these spans of one session, which follow one another; fewer if they are too many for a page. */
    final List<SessionEventCommitted> events(List<Span> spans) {
        Span first = spans.get(0);
        Span last = spans.get(spans.size() - 1);
        EventRange range = EventRange.of(first.from(), last.to()).limit(PAGE_EVENTS);
        List<SessionEventCommitted> found = new ArrayList<>();
        int span = 0;
        for (SessionEvent event : store.events(first.session(), range)) {
            while (event.seq() >= spans.get(span).to()) {
                span++;
            }
            found.add(new SessionEventCommitted(first.session(), spans.get(span).position(), event));
        }
        return found;
    }

    /** Where a page ends: behind its last commit, or behind what is known where that is no page full of commits. */
    private static Cursor end(List<StoredCommit> commits, long known, long before) {
        long last = commits.isEmpty() ? before : commits.get(commits.size() - 1).position();
        return Cursor.after(commits.size() < PAGE_COMMITS ? Math.max(last, known) : last);
    }

    private static final class OfSession extends CommitReading {

        private final SessionId id;

        OfSession(EventStore store, SessionId id, long ordinal) {
            super(store, ordinal);
            this.id = id;
        }

        @Override
        Page read(Cursor cursor, long known) {
            List<StoredCommit> commits = store.commits(id, cursor.whole(), PAGE_COMMITS);
            List<Span> spans = new ArrayList<>();
            for (StoredCommit commit : commits) {
                long from = from(commit, cursor, spans.isEmpty());
                if (from < commit.to()) {
                    spans.add(Span.of(commit, from));
                }
            }
            List<SessionEventCommitted> events = spans.isEmpty() ? List.of() : events(spans);
            if (store.find(id).map(StoredSession::ordinal).orElse(0L) != ordinal()) {
                throw new UnknownSessionException(id);
            }
            long wanted = spans.stream().mapToLong(Span::size).sum();
            if (events.size() < wanted) {
                return new Page(events, behindLast(events));
            }
            return new Page(events, end(commits, known, cursor.position()));
        }

        /** A fork's first commit brings the events it inherited. */
        private static long from(StoredCommit commit, Cursor cursor, boolean first) {
            if (cursor.isWhole() || !first || (cursor.position() > 0 && commit.position() != cursor.position())) {
                return commit.from();
            }
            return cursor.seq() + 1;
        }
    }

    private static Cursor behindLast(List<SessionEventCommitted> events) {
        if (events.isEmpty()) {
            throw new IllegalStateException("expected the store to hold the events of its commits, found none of them");
        }
        return Cursor.after(events.get(events.size() - 1).streamPosition());
    }

    private static final class OfAll extends CommitReading {

        OfAll(EventStore store) {
            super(store, 0);
        }

        @Override
        Page read(Cursor cursor, long known) {
            UnknownSessionException removed = null;
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                List<StoredCommit> commits = store.commits(cursor.whole(), PAGE_COMMITS);
                try {
                    Page page = read(commits, cursor, known);
                    if (commits.isEmpty()
                            || store.commits(cursor.whole(), commits.size()).equals(commits)) {
                        return page;
                    }
                } catch (UnknownSessionException e) {
                    removed = e; // and with it its commits: they are gone when the page is read again
                }
            }
            throw removed != null
                    ? removed
                    : new IllegalStateException("sessions were removed " + ATTEMPTS + " times while the commits after "
                            + cursor.whole() + " were read");
        }

        private Page read(List<StoredCommit> commits, Cursor cursor, long known) {
            List<Span> spans = new ArrayList<>();
            Map<SessionId, List<Span>> bySession = new HashMap<>();
            long size = 0;
            Cursor end = end(commits, known, cursor.position());
            for (StoredCommit commit : commits) {
                boolean begun = !cursor.isWhole() && commit.position() == cursor.position();
                Span span = Span.of(commit, begun ? Math.max(commit.from(), cursor.seq() + 1) : commit.from());
                if (span.size() < 1) {
                    continue;
                }
                if (!spans.isEmpty() && size + span.size() > PAGE_EVENTS) {
                    end = Cursor.after(commit.position() - 1);
                    break;
                }
                spans.add(span);
                bySession
                        .computeIfAbsent(span.session(), id -> new ArrayList<>())
                        .add(span);
                size += span.size();
            }
            // the commits of one session follow one another in it, so that one look brings those of all of them
            Map<Long, List<SessionEventCommitted>> byPosition = new HashMap<>();
            bySession
                    .values()
                    .forEach(ofOne -> events(ofOne)
                            .forEach(event -> byPosition
                                    .computeIfAbsent(event.position(), position -> new ArrayList<>())
                                    .add(event)));
            List<SessionEventCommitted> events = new ArrayList<>();
            spans.forEach(span -> events.addAll(byPosition.getOrDefault(span.position(), List.of())));
            return new Page(events, events.size() < size ? behindLast(events) : end);
        }
    }
}
