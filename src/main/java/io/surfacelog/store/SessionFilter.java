package io.surfacelog.store;

import org.jspecify.annotations.Nullable;

/**
 * Which sessions to list, newest first.
 *
 * @param idContains part of the id, null for any
 * @param parentSession id of the parent, null for any
 * @param createdFrom created at or after, Unix epoch milliseconds
 * @param createdTo created before, Unix epoch milliseconds
 * @param before only sessions older than this ordinal, as {@link SessionPage#next()} hands it out
 * @param limit size of the page, from 1 to 1,000
 */
public record SessionFilter(
        @Nullable String idContains,
        @Nullable String parentSession,
        long createdFrom,
        long createdTo,
        long before,
        int limit) {

    public SessionFilter {
        if (limit < 1 || limit > 1_000) {
            throw new IllegalArgumentException("expected a page of 1 to 1000 sessions, found " + limit);
        }
    }

    /** Every session, in pages of 100. */
    public static SessionFilter all() {
        return new SessionFilter(null, null, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 100);
    }

    public SessionFilter idContaining(String part) {
        return new SessionFilter(part, parentSession, createdFrom, createdTo, before, limit);
    }

    public SessionFilter childrenOf(String parent) {
        return new SessionFilter(idContains, parent, createdFrom, createdTo, before, limit);
    }

    public SessionFilter createdBetween(long from, long to) {
        return new SessionFilter(idContains, parentSession, from, to, before, limit);
    }

    public SessionFilter before(long ordinal) {
        return new SessionFilter(idContains, parentSession, createdFrom, createdTo, ordinal, limit);
    }

    public SessionFilter limit(int sessions) {
        return new SessionFilter(idContains, parentSession, createdFrom, createdTo, before, sessions);
    }
}
