package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts events into rows: neighbouring chunks together, as many as a row may hold, everything else one by one. The bytes of
 * a packed row are bounded too, so that reading one event of it stays cheap. Cost: O(bytes).
 */
final class RowPacker {

    private static final long MAX_RUN_CHARS = 64L << 10;

    private final long session;
    private final Compression compression;
    private final List<EventRow> rows = new ArrayList<>();
    private final List<SessionEvent> run = new ArrayList<>();
    private long chars;

    /** A packer that is fed one event after the other. */
    RowPacker(long session, Compression compression) {
        this.session = session;
        this.compression = compression;
    }

    static List<EventRow> rows(long session, List<SessionEvent> events, Compression compression) {
        RowPacker packer = new RowPacker(session, compression);
        events.forEach(packer::add);
        packer.endRun();
        return packer.takeRows();
    }

    /** The rows that are complete since the last call; the last run may go on. */
    List<EventRow> takeRows() {
        List<EventRow> complete = List.copyOf(rows);
        rows.clear();
        return complete;
    }

    void add(SessionEvent event) {
        if (!EventRow.mayBePacked(event)) {
            endRun();
            rows.add(EventRow.of(session, event, compression));
            return;
        }
        int more = event.data().text().length();
        if (run.size() == EventRow.MAX_RUN || chars + more > MAX_RUN_CHARS) {
            endRun();
        }
        run.add(event);
        chars += more;
    }

    /** What follows begins a row of its own. */
    void endRun() {
        if (run.size() == 1) {
            rows.add(EventRow.of(session, run.get(0), compression));
        } else if (!run.isEmpty()) {
            rows.add(EventRow.ofRun(session, run, compression));
        }
        run.clear();
        chars = 0;
    }
}
