package io.surfacelog.bench;

import io.surfacelog.command.CommandSettings;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.compaction.CompactionOutcome;
import io.surfacelog.compaction.CompactionSettings;
import io.surfacelog.compaction.Compactions;
import io.surfacelog.compaction.ModelWindow;
import io.surfacelog.compaction.Summary;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.UserMessage;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.memory.MemoryEventStore;
import io.surfacelog.stream.EventDispatcher;
import io.surfacelog.surface.Surface;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures what looking after the length of a surface costs: asking whether a compaction is needed where it is not, at 100
 * nodes and at 10,000, and planning a replace near the end and at the beginning of a long surface. Prints medians and ratios.
 */
final class CompactionMeasurements {

    private static final int SHORT = 100;
    private static final int LONG = 10_000;
    private static final int WARM_UP = 20_000;
    private static final int ROUNDS = 20_000;
    private static final int BATCH = 1_000;

    private CompactionMeasurements() {}

    public static void main(String[] args) throws Exception {
        Measurement.run(CompactionMeasurements::in);
    }

    private static void in(Path unused) {
        try (EventStore store = MemoryEventStore.create();
                SurfaceProjection projection = new SurfaceProjection(store, 100);
                EventDispatcher dispatcher = new EventDispatcher(store, 1_024)) {
            dispatcher.start(List.of());
            SessionQueries queries = SessionQueries.of(store, projection);
            try (SessionCommands commands = SessionCommands.of(
                            store, projection, dispatcher, CommandSettings.defaults(), List.of(), Clock.systemUTC());
                    Compactions compactions = Compactions.of(
                            commands,
                            queries,
                            request -> Summary.of("Words.", "bench", "fixed"),
                            CompactionSettings.defaults().window(ModelWindow.of(100_000_000)))) {
                SessionId shorter = session(commands, SHORT);
                SessionId longer = session(commands, LONG);
                double few = noNeed(compactions, shorter);
                double many = noNeed(compactions, longer);
                Measurement.say("compactIfNeeded without need at %d nodes: %.0f ns", SHORT, few);
                Measurement.say("the same at %d nodes: %.2f times", LONG, many / few);
                replaces(queries.surface(longer));
            }
        }
    }

    private static SessionId session(SessionCommands commands, int nodes) {
        SessionId id = commands.create(SessionHeader.builder().build());
        for (int from = 0; from < nodes; from += BATCH) {
            List<EventDraft> drafts = new ArrayList<>();
            for (int i = from; i < Math.min(nodes, from + BATCH); i++) {
                drafts.add(EventDraft.of(UserMessage.of("Where is parcel " + i + "?"), SurfaceIntent.append()));
            }
            commands.appendAll(id, drafts);
        }
        return id;
    }

    private static double noNeed(Compactions compactions, SessionId id) {
        double[] nanos = new double[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            long started = System.nanoTime();
            CompactionOutcome outcome = compactions.compactIfNeeded(id);
            if (round >= 0) {
                nanos[round] = System.nanoTime() - started;
            }
            if (!(outcome instanceof CompactionOutcome.NotNeeded)) {
                throw new IllegalStateException("expected no need, found " + outcome);
            }
        }
        return median(nanos);
    }

    /** A replace of ten nodes, with so many nodes behind it. */
    private static void replaces(Surface surface) {
        int[] behind = {10, 100, 1_000, LONG - 20};
        double[] micros = new double[behind.length];
        for (int i = 0; i < behind.length; i++) {
            double[] nanos = new double[BATCH];
            for (int round = -10 * BATCH; round < BATCH; round++) {
                long started = System.nanoTime();
                replace(surface, LONG - behind[i] - 10);
                if (round >= 0) {
                    nanos[round] = System.nanoTime() - started;
                }
            }
            micros[i] = median(nanos) / 1e3;
            Measurement.say("a replace of ten nodes with %d behind it: %.1f µs", behind[i], micros[i]);
        }
    }

    private static void replace(Surface surface, int first) {
        EventSeqs seqs = EventSeqs.range(
                surface.nodes().get(first).seq(), surface.nodes().get(first + 9).seq());
        EventDraft draft = EventDraft.of(
                UserMessage.of("Words."),
                SurfaceIntent.replace(
                                surface.nodes().get(first).seq(),
                                surface.nodes().get(first + 9).seq())
                        .citing(seqs));
        if (surface.plan(List.of(draft.toEvent(surface.nextSeq(), 0)))
                        .after()
                        .nodes()
                        .size()
                != LONG - 9) {
            throw new IllegalStateException("expected ten nodes to become one");
        }
    }

    private static double median(double[] values) {
        return Arrays.stream(values).sorted().toArray()[values.length / 2];
    }
}
