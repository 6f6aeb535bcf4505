package io.surfacelog.bench;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.surface.Surface;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Planning and applying a million parsed events in turns of sixty: time per event, both together. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms8g", "-Xmx8g", "-XX:+AlwaysPreTouch"}) // else the first use of each page is measured
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class FoldBenchmark {

    private static final int TURNS = 16_667;
    private static final int EVENTS = TURNS * 60;

    private List<SessionEvent> log = List.of();

    @Setup
    public void makeLog() {
        log = Turns.sixty(TURNS);
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public Surface planAndApply() {
        return Turns.surface(log);
    }
}
