package io.surfacelog.web;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.SessionPage;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoredSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Looks for sessions by what their headers say: the id, or a text in any member, in upper or lower case. The logs are not
 * read. Cost: O(sessions passed over), of which one page passes over no more than a bounded number.
 */
final class SessionSearch {

    private static final int AT_ONCE = 500;
    private static final int PASSED_OVER = 20_000;

    private final SessionQueries queries;
    private final String part;

    SessionSearch(SessionQueries queries, String part) {
        this.queries = queries;
        this.part = part.toLowerCase(Locale.ROOT);
    }

    /** A page that may hold fewer than its limit, and yet have a next one. */
    SessionPage page(SessionFilter filter) {
        List<StoredSession> found = new ArrayList<>();
        List<StoreFault> damaged = new ArrayList<>();
        SessionFilter next = filter.limit(AT_ONCE);
        for (int passed = 0; passed < PASSED_OVER; passed += AT_ONCE) {
            SessionPage page = queries.list(next);
            damaged.addAll(page.damaged());
            for (StoredSession session : page.sessions()) {
                if (says(session.header().json())) {
                    found.add(session);
                    if (found.size() == filter.limit()) {
                        return new SessionPage(found, damaged, OptionalLong.of(session.ordinal()));
                    }
                }
            }
            if (page.next().isEmpty()) {
                return new SessionPage(found, damaged, OptionalLong.empty());
            }
            next = next.before(page.next().getAsLong());
        }
        return new SessionPage(found, damaged, OptionalLong.of(next.before()));
    }

    private boolean says(Json json) {
        if (json instanceof JsonString text) {
            return text.value().toLowerCase(Locale.ROOT).contains(part);
        }
        if (json instanceof JsonObject object) {
            boolean[] found = {false};
            object.forEach((name, value) -> found[0] |= says(value));
            return found[0];
        }
        return false;
    }
}
