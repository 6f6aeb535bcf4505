package io.surfacelog.bench;

import io.surfacelog.command.CommandSettings;
import io.surfacelog.command.CreateSession;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.memory.MemoryEventStore;
import io.surfacelog.stream.EventDispatcher;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Asking for the messages of a live session with nothing new, whatever its length. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms8g", "-Xmx8g", "-XX:+AlwaysPreTouch"}) // else the first use of each page is measured
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MessagesBenchmark {

    @Param({"1020", "1000020"})
    public int events;

    private final SessionId id = SessionId.of("bench");
    private SessionQueries queries;

    @Setup
    public void makeSession() {
        MemoryEventStore store = MemoryEventStore.create();
        SurfaceProjection projection = new SurfaceProjection(store, 10);
        SessionCommands commands = SessionCommands.of(
                store,
                projection,
                new EventDispatcher(store, 1),
                CommandSettings.defaults(),
                List.of(),
                Clock.systemUTC());
        SessionHeader header = SessionHeader.builder().id(id).build();
        List<EventCandidate> log =
                Turns.sixty(events / 60).stream().map(EventCandidate::of).toList();
        commands.create(CreateSession.imported(header, log, EventTypes.standard()));
        queries = SessionQueries.of(store, projection);
    }

    @Benchmark
    public List<Message> messages() {
        return queries.messages(id);
    }
}
