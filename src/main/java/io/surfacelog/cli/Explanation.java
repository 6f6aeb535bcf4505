package io.surfacelog.cli;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Why an event of a session is there: what it was made of, what was made of it, and what took its place.
 *
 * @param depth how many levels of sources are opened, from 1
 * @param limit how many lines a list may have before the rest is folded, from 1
 */
record Explanation(Standalone store, SessionId id, int depth, int limit) {

    /** The default depth, as picocli wants it. */
    static final String DEPTH = "4";
    /** The default limit. */
    static final String LIMIT = "12";

    /** With the defaults. */
    Explanation(Standalone store, SessionId id) {
        this(store, id, Integer.parseInt(DEPTH), Integer.parseInt(LIMIT));
    }

    void print(long seq, Output out, boolean colour) throws IOException {
        SessionEvent event = store.queries().event(id, seq);
        Citations citations = new Citations(store.store(), id, seq);
        ProvenanceTree tree = new ProvenanceTree(store.store(), id, citations, out, depth, limit, colour);
        tree.print(event);
        EventSeqs citedBy = citations.citedBy();
        out.line(Ink.STRONG
                .on("cited by " + (citedBy.isEmpty() ? "no event" : ""), colour)
                .stripTrailing());
        tree.printList(citedBy);
        out.line(Ink.STRONG.on("on the surface: ", colour) + place(event, citations));
    }

    private static String place(SessionEvent event, Citations citations) {
        if (!event.isSurface()) {
            return "never, it is log-only";
        }
        List<Long> chain = citations.chain(event.seq());
        return chain.size() == 1
                ? "now, as itself"
                : "through what took its place, "
                        + chain.stream().map(String::valueOf).collect(Collectors.joining(" → "));
    }
}
