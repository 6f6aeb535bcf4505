package io.surfacelog.cli;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.UnknownEventException;
import io.surfacelog.store.EventRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code show}: the events of a session and where each of them stands. */
@Command(
        name = "show",
        description = {
            "Shows the events of a session: whether the model sees them (current), which event took their place (shadowed"
                    + " by), or that they never join the surface (log-only), and what they cite."
        })
final class ShowCommand extends StoreCommand {

    @Parameters(paramLabel = "SESSION", converter = SessionIdArgument.class, description = SessionIdArgument.HELP)
    private @Nullable SessionId session;

    @Option(names = "--from", paramLabel = "SEQ", defaultValue = "0", description = "The first event (default: 0).")
    private long from;

    @Option(names = "--to", paramLabel = "SEQ", description = "The last event, included (default: that of the log).")
    private @Nullable Long to;

    @Option(names = "--json", description = "One JSON object per event: seq, surface, shadowedBy, event.")
    private boolean json;

    @Option(names = "--chunks", description = "A row for each stream chunk, not for a run of them.")
    private boolean chunks;

    ShowCommand(Console console, Database database) {
        super(console, database);
    }

    @Override
    void checkUsage() {
        if (from < 0 || (to != null && to < from)) {
            throw wrongUsage("Expected 0 <= --from <= --to, found " + from + (to == null ? "" : " and " + to) + ".");
        }
    }

    @Override
    boolean run(Standalone store, Output out) throws IOException {
        SessionId id = Objects.requireNonNull(session);
        long events = store.queries().nextSeq(id);
        if (from > 0 && from >= events) {
            throw new UnknownEventException(id, from, events);
        }
        long end = to == null ? events : Math.min(events, to + 1);
        SurfaceStates states = SurfaceStates.of(store.queries(), id, events);
        EventRange range = EventRange.of(from, end);
        try {
            if (json) {
                store.store().forEach(id, range, event -> print(states, event, out));
            } else {
                EventRows rows = new EventRows(out, states, events, !chunks, Ink.isWanted());
                store.store().forEach(id, range, event -> print(rows, event));
                rows.finish();
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return true;
    }

    private static void print(SurfaceStates states, SessionEvent event, Output out) {
        try {
            out.line(JsonLine.of(states.json(event)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void print(EventRows rows, SessionEvent event) {
        try {
            rows.add(event);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
