package io.surfacelog.web;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.stream.StreamPosition;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The live feed, as server-sent events. */
final class FeedOperations {

    private final Feed feed;
    private final EventStore store;
    private final long maxBehind;

    FeedOperations(Feed feed, EventStore store, long maxBehind) {
        this.feed = feed;
        this.store = store;
        this.maxBehind = maxBehind;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/feed", call -> follow(call, null), "after").streamed(),
                Route.get("/sessions/{session}/feed", call -> follow(call, call.session()), "after", "from")
                        .streamed());
    }

    private void follow(Call call, @Nullable SessionId session) throws IOException {
        long ordinal = session == null
                ? 0
                : store.find(session)
                        .map(StoredSession::ordinal)
                        .orElseThrow(() -> new UnknownSessionException(session));
        long fromSeq = call.number("from").orElse(0);
        StreamPosition start = start(call);
        feed.reserve();
        boolean served = false;
        try {
            HttpServletResponse response = call.response();
            response.setContentType("text/event-stream");
            response.setCharacterEncoding("UTF-8");
            // a proxy that gathers an answer before it hands it on would hold it back for ever
            response.setHeader("X-Accel-Buffering", "no");
            // what is dropped is gone: no connection is kept for another request of such a client
            response.setHeader("Connection", "close");
            AsyncContext context = call.request().startAsync();
            context.setTimeout(0);
            feed.serve(new FeedClient(session, ordinal, fromSeq, start, maxBehind, feed, context));
            served = true;
        } finally {
            if (!served) {
                feed.release();
            }
        }
    }

    /** Behind the last event that the client has heard; else with a seq, or with what comes from now on. */
    private StreamPosition start(Call call) {
        Optional<String> last = call.header("Last-Event-ID").filter(text -> !text.isEmpty());
        Optional<String> place = last.isPresent() ? last : call.parameter("after");
        if (place.isEmpty()) {
            return call.number("from").isPresent()
                    ? StreamPosition.BEGINNING
                    : StreamPosition.after(store.lastPosition());
        }
        StreamPosition position;
        try {
            position = StreamPosition.parse(place.get());
        } catch (IllegalArgumentException e) {
            throw ProblemException.badRequest("expected a position like 812 or 812:57 as "
                    + (last.isPresent() ? "Last-Event-ID" : "the parameter after") + ", found something else");
        }
        feed.reading().check(position);
        return position;
    }
}
