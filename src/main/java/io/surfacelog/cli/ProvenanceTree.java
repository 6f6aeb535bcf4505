package io.surfacelog.cli;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.surface.Replacement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What an event was made of, as a tree. Sources are always earlier events, so it has no cycles; an event that is cited
 * twice is opened where it stands first. Long lists and runs of log-only events are folded.
 */
final class ProvenanceTree {

    /** A run of log-only events is one line from this length on. */
    private static final int RUN = 3;

    private final EventStore store;
    private final SessionId id;
    private final Citations citations;
    private final Output out;
    private final int depth;
    private final int limit;
    private final boolean colour;
    private final Set<Long> opened = new HashSet<>();

    /**
     * A tree.
     *
     * @param depth how many levels of sources are opened below the event
     * @param limit how many lines one list may have
     */
    ProvenanceTree(
            EventStore store, SessionId id, Citations citations, Output out, int depth, int limit, boolean colour) {
        this.store = store;
        this.id = id;
        this.citations = citations;
        this.out = out;
        this.depth = depth;
        this.limit = limit;
        this.colour = colour;
    }

    /** Prints the event and what it was made of. */
    void print(SessionEvent event) throws IOException {
        out.line(line("", event));
        open(event.seq(), "", 0);
    }

    /** Prints these events below each other, without what they were made of. */
    void printList(EventSeqs seqs) throws IOException {
        list(seqs, "", depth);
    }

    private void open(long seq, String indent, int level) throws IOException {
        if (opened.add(seq)) {
            list(citations.cites(seq), indent, level);
        }
    }

    private void list(EventSeqs seqs, String indent, int level) throws IOException {
        List<EventSeqs> items = items(seqs);
        int shown = items.size() > limit ? limit : items.size();
        for (int i = 0; i < shown; i++) {
            boolean last = i == items.size() - 1;
            item(items.get(i), indent + (last ? "└─ " : "├─ "), indent + (last ? "   " : "│  "), level);
        }
        if (shown < items.size()) {
            EventSeqs.Builder rest = EventSeqs.builder();
            items.subList(shown, items.size()).forEach(rest::addAll);
            EventSeqs hidden = rest.build();
            out.line(indent + "└─ "
                    + Ink.FAINT.on(
                            ShownText.line(
                                    "… and " + Preview.count(hidden.size(), "event") + " more (--limit): "
                                            + hidden.toText(),
                                    Table.WIDTH),
                            colour));
        }
    }

    private void item(EventSeqs item, String lead, String indent, int level) throws IOException {
        long[] seqs = item.toArray();
        if (seqs.length > 1) {
            out.line(lead + Ink.FAINT.on(run(item, seqs[0], seqs[seqs.length - 1]), colour));
            return;
        }
        List<SessionEvent> found = store.events(id, EventRange.of(seqs[0], seqs[0] + 1));
        SessionEvent event = found.get(0);
        EventSeqs below = citations.cites(event.seq());
        boolean again = opened.contains(event.seq()) && !below.isEmpty();
        boolean deep = !again && level + 1 >= depth && !below.isEmpty();
        String note = again
                ? "  (opened above)"
                : deep && level < depth ? "  (cites " + Preview.count(below.size(), "event") + ", --depth)" : "";
        out.line(line(lead, event) + Ink.FAINT.on(note, colour));
        if (!again && !deep) {
            open(event.seq(), indent, level + 1);
        }
    }

    private String line(String lead, SessionEvent event) {
        Replacement replacement = citations.replacement(event.seq());
        String text = event.seq() + "  " + event.type() + "  " + citations.state(event) + "  "
                + (replacement == null
                        ? ""
                        : "replaces " + replacement.start() + ".." + replacement.end() + " ("
                                + Preview.count(replacement.shadowed().size(), "node") + ": "
                                + ShownText.line(replacement.shadowed().toText(), 40) + ")  ")
                + Preview.of(event);
        return lead
                + citations.ink(event).on(ShownText.line(text, Math.max(40, Table.WIDTH + 20 - lead.length())), colour);
    }

    private String run(EventSeqs item, long first, long last) {
        Map<String, Long> types = new TreeMap<>();
        store.forEach(id, EventRange.of(first, last + 1), event -> types.merge(event.type(), 1L, Long::sum));
        return item.toText() + "  "
                + types.entrySet().stream()
                        .map(type -> type.getValue() + " × " + ShownText.line(type.getKey(), 40))
                        .collect(Collectors.joining(", "));
    }

    /** Neighbours that are log-only and stand one after the other are one item, every other event is one of its own. */
    private List<EventSeqs> items(EventSeqs seqs) {
        List<EventSeqs> items = new ArrayList<>();
        long[] all = seqs.toArray();
        for (int i = 0; i < all.length; ) {
            int end = i + 1;
            while (end < all.length
                    && all[end] == all[end - 1] + 1
                    && !citations.isSurface(all[end])
                    && !citations.isSurface(all[i])) {
                end++;
            }
            if (end - i >= RUN) {
                items.add(EventSeqs.range(all[i], all[end - 1]));
            } else {
                for (int single = i; single < end; single++) {
                    items.add(EventSeqs.of(all[single]));
                }
            }
            i = end;
        }
        return items;
    }
}
