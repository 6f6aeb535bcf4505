package io.surfacelog.bench;

import io.surfacelog.command.CommandSettings;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.compaction.TokenEstimator;
import io.surfacelog.compaction.TokenMeter;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.UserMessage;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.memory.MemoryEventStore;
import io.surfacelog.stream.EventDispatcher;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures what it costs to ask the meter: with nothing new, after one append, and after a replace of the newest node, each in
 * a session of 100 nodes and in one of 10,000, which take turns. What is written is not measured. Prints medians and ratios.
 */
final class MeterMeasurements {

    private static final int WARM_UP = 3_000;
    private static final int ROUNDS = 3_000;
    private static final int BATCH = 1_000;
    private static final int[] NODES = {100, 10_000};

    private final SessionCommands commands;
    private final SessionQueries queries;
    private final TokenMeter meter;

    private MeterMeasurements(SessionCommands commands, SessionQueries queries) {
        this.commands = commands;
        this.queries = queries;
        this.meter = new TokenMeter(queries, TokenEstimator.heuristic());
    }

    public static void main(String[] args) throws Exception {
        try (EventStore store = MemoryEventStore.create();
                SurfaceProjection projection = new SurfaceProjection(store, 100);
                EventDispatcher dispatcher = new EventDispatcher(store, 1_024)) {
            dispatcher.start(List.of());
            try (SessionCommands commands = SessionCommands.of(
                    store, projection, dispatcher, CommandSettings.defaults(), List.of(), Clock.systemUTC())) {
                new MeterMeasurements(commands, SessionQueries.of(store, projection)).run();
            }
        }
    }

    /** What is done before the meter is asked. */
    private interface News {
        void in(SessionId id);
    }

    private void run() {
        measure("nothing new", id -> {});
        // a replace first takes the place of the newest node, so that the sessions keep their size
        measure("one replaced at the end", this::replaceNewest);
        measure("one more", id -> commands.append(id, UserMessage.of("Where is it?"), SurfaceIntent.append()));
    }

    private void measure(String what, News news) {
        SessionId[] sessions = Arrays.stream(NODES).mapToObj(this::session).toArray(SessionId[]::new);
        double[][] nanos = new double[sessions.length][ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            for (int i = 0; i < sessions.length; i++) {
                news.in(sessions[i]);
                long started = System.nanoTime();
                meter.count(sessions[i]);
                if (round >= 0) {
                    nanos[i][round] = System.nanoTime() - started;
                }
            }
        }
        double few = median(nanos[0]);
        Measurement.say("%s, from %d nodes on: %.0f ns", what, NODES[0], few);
        Measurement.say("the same from %d nodes on: %.2f times", NODES[1], median(nanos[1]) / few);
    }

    private void replaceNewest(SessionId id) {
        long[] seqs = queries.surface(id).nodeSeqs();
        long newest = seqs[seqs.length - 1];
        commands.append(
                id,
                UserMessage.of("Where is it?"),
                SurfaceIntent.replace(newest, newest).citing(newest));
    }

    private SessionId session(int nodes) {
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

    private static double median(double[] values) {
        return Arrays.stream(values).sorted().toArray()[values.length / 2];
    }
}
