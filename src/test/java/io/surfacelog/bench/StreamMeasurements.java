package io.surfacelog.bench;

import io.surfacelog.command.CommandSettings;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.UserMessage;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import io.surfacelog.stream.EventDispatcher;
import io.surfacelog.stream.SessionEventListener;
import io.surfacelog.stream.SessionStream;
import io.surfacelog.stream.StreamRequest;
import io.surfacelog.stream.StreamSettings;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures what those who listen cost a streaming turn, fifty chunks with a commit each and what is around them: ten
 * idle listeners, ten idle subscriptions, and one that is stuck, against nobody; and nobody in a second database, to show
 * how far two that do the same differ. The rounds of all take turns, so that what disturbs the machine disturbs all. Then
 * counts how many commits lie between a chunk and its delivery, and between a chunk and a bare thread that is woken up for
 * it. Prints ratios of medians.
 */
final class StreamMeasurements {

    private static final int WARM_UP = 20;
    private static final int ROUNDS = 200;
    private static final int CHUNKS = 50;

    /** Before this many turns the machine is busy with compiling what is measured, on one of its cores. */
    private static final int DISTANCE_WARM_UP = 600;

    private static final int DISTANCE_ROUNDS = 400;

    /** Events of a turn before its chunks. */
    private static final int BEFORE = 3;

    private final Path directory;

    private StreamMeasurements(Path directory) {
        this.directory = directory;
    }

    public static void main(String[] args) throws Exception {
        Measurement.run(directory -> new StreamMeasurements(directory).run());
    }

    private void run() {
        CountDownLatch stuck = new CountDownLatch(1);
        try (Stack nobody = new Stack(directory.resolve("nobody.db"), List.of());
                Stack listeners =
                        new Stack(directory.resolve("listeners.db"), Collections.nCopies(10, committed -> {}));
                Stack subscriptions = new Stack(directory.resolve("subscriptions.db"), List.of());
                Stack others = new Stack(directory.resolve("others.db"), List.of());
                Stack nobodyElse = new Stack(directory.resolve("nobody-else.db"), List.of());
                Stack slow = new Stack(directory.resolve("slow.db"), List.of())) {
            SessionId quiet = others.commands.create(SessionHeader.builder().build());
            for (int i = 0; i < 10; i++) {
                subscriptions.stream.subscribe(StreamRequest.all(), committed -> {});
                others.stream.subscribe(StreamRequest.of(quiet), committed -> {});
            }
            slow.stream.subscribe(StreamRequest.all(), committed -> await(stuck));
            Stack[] stacks = {nobody, listeners, subscriptions, others, slow, nobodyElse};
            double[][] micros = new double[stacks.length][ROUNDS];
            for (int round = -WARM_UP; round < ROUNDS; round++) {
                for (int i = 0; i < stacks.length; i++) {
                    // whoever comes first in a round is not always the same
                    int at = Math.floorMod(i + round, stacks.length);
                    long started = System.nanoTime();
                    stacks[at].turn();
                    if (round >= 0) {
                        micros[at][round] = (System.nanoTime() - started) / 1e3 / (CHUNKS + 3);
                    }
                }
            }
            double[] median = Arrays.stream(micros)
                    .mapToDouble(all -> Arrays.stream(all).sorted().toArray()[ROUNDS / 2])
                    .toArray();
            Measurement.say("a commit of a streaming turn that nobody hears: %.0f µs", median[0]);
            Measurement.say("the same in another database: %.3f times", median[5] / median[0]);
            Measurement.say("ten idle listeners: %.3f times", median[1] / median[0]);
            Measurement.say("ten idle subscriptions to all sessions: %.3f times", median[2] / median[0]);
            Measurement.say("ten subscriptions to another session: %.3f times", median[3] / median[0]);
            Measurement.say("a subscriber that is stuck: %.3f times", median[4] / median[0]);
            stuck.countDown();
        } finally {
            stuck.countDown();
        }
        distances();
    }

    /**
     * How many commits were answered before each chunk was heard, by a subscriber and by a thread that is only woken up: what
     * that one misses is the machine's. The two take turns, a turn's worth of chunks each.
     */
    private void distances() {
        try (Stack stack = new Stack(directory.resolve("distance.db"), List.of());
                Stack other = new Stack(directory.resolve("woken.db"), List.of());
                Woken woken = new Woken()) {
            Heard bySubscriber = new Heard(stack);
            Heard byThread = new Heard(other);
            woken.start(byThread);
            stack.stream.subscribe(StreamRequest.of(bySubscriber.id).fromSeq(BEFORE), event -> bySubscriber.hears());
            for (int round = 0; round < DISTANCE_WARM_UP + DISTANCE_ROUNDS; round++) {
                for (int i = 0; i < CHUNKS; i++) {
                    bySubscriber.writes();
                }
                bySubscriber.awaitAll();
                for (int i = 0; i < CHUNKS; i++) {
                    byThread.writes();
                    woken.wakeUp();
                }
                byThread.awaitAll();
            }
            bySubscriber.say("a chunk was delivered to a subscriber");
            byThread.say("a thread that is only woken up had seen it");
        }
    }

    /** The chunks of one session, and how far the writer had come when each of them was heard. */
    private static final class Heard {

        private final Stack stack;
        private final SessionId id;
        private final long[] distances = new long[CHUNKS * DISTANCE_ROUNDS];
        private final AtomicLong committed = new AtomicLong();
        private final AtomicLong heard = new AtomicLong();

        Heard(Stack stack) {
            this.stack = stack;
            id = stack.commands.create(SessionHeader.builder().build());
            stack.begin(id);
        }

        void writes() {
            stack.chunk(id, "word ");
            committed.incrementAndGet();
        }

        /** The next chunk is heard. */
        void hears() {
            long before = heard.get();
            long measured = before - CHUNKS * DISTANCE_WARM_UP;
            if (measured >= 0) {
                distances[(int) measured] = committed.get() - before;
            }
            heard.set(before + 1);
        }

        boolean isBehind() {
            return heard.get() < committed.get();
        }

        void awaitAll() {
            while (isBehind()) {
                Thread.onSpinWait();
            }
        }

        void say(String what) {
            Arrays.sort(distances);
            Measurement.say(
                    "commits answered before %s, its own among them: median %d, %.1f of 100 at most 1, 99 of 100 at most %d, most %d",
                    what,
                    distances[distances.length / 2],
                    100.0 * Arrays.stream(distances).filter(one -> one <= 1).count() / distances.length,
                    distances[distances.length * 99 / 100],
                    distances[distances.length - 1]);
        }
    }

    /** A thread that sleeps until it is woken up, and then hears all that was written. */
    private static final class Woken implements AutoCloseable {

        private volatile boolean closed;
        private Thread thread = Thread.currentThread();

        void start(Heard heard) {
            thread = new Thread(
                    () -> {
                        while (!closed) {
                            while (heard.isBehind()) {
                                heard.hears();
                            }
                            LockSupport.park(this);
                        }
                    },
                    "woken");
            thread.start();
        }

        void wakeUp() {
            LockSupport.unpark(thread);
        }

        @Override
        public void close() {
            closed = true;
            wakeUp();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A store with its commands, listeners and stream. */
    private static final class Stack implements AutoCloseable {

        private final EventStore store;
        private final SurfaceProjection projection;
        private final EventDispatcher dispatcher;
        private final SessionCommands commands;
        private final SessionStream stream;

        Stack(Path file, List<SessionEventListener> listeners) {
            store = SqliteEventStore.open(SqliteSettings.at(file));
            projection = new SurfaceProjection(store, 100);
            dispatcher = new EventDispatcher(store, 1_024);
            commands = SessionCommands.of(
                    store, projection, dispatcher, CommandSettings.defaults(), List.of(), Clock.systemUTC());
            stream = SessionStream.of(store, dispatcher, StreamSettings.defaults());
            dispatcher.start(listeners);
        }

        /** A turn of a session of its own, as long as any other. */
        void turn() {
            SessionId id = commands.create(SessionHeader.builder().build());
            begin(id);
            for (int i = 0; i < CHUNKS; i++) {
                chunk(id, "word" + i + " ");
            }
            commands.appendAll(
                    id,
                    List.of(
                            EventDraft.of(
                                    AssistantMessage.of(
                                            1, 1, Message.assistant("provider", "model", TextBlock.of("words"))),
                                    SurfaceIntent.append().citing(EventSeqs.range(BEFORE, BEFORE + CHUNKS - 1))),
                            EventDraft.of(StepEnd.of(1, 1)),
                            EventDraft.of(TurnEnd.of(1, TurnEndReason.completed()))));
        }

        void begin(SessionId id) {
            commands.appendAll(
                    id,
                    List.of(
                            EventDraft.of(TurnStart.of(1)),
                            EventDraft.of(UserMessage.of("Where is my parcel?"), SurfaceIntent.append()),
                            EventDraft.of(StepStart.of(1, 1))));
        }

        void chunk(SessionId id, String text) {
            commands.append(id, AssistantChunk.of(1, 1, StreamChunk.text(0, text)));
        }

        @Override
        public void close() {
            commands.close();
            stream.close();
            dispatcher.close();
            projection.close();
            store.close();
        }
    }
}
