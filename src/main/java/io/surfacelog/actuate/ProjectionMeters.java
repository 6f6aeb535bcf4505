package io.surfacelog.actuate;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.surfacelog.projection.ProjectionStats;
import io.surfacelog.projection.SurfaceProjection;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Meters of the live sessions: how many, how large, how they were opened, how many had to leave. */
final class ProjectionMeters implements MeterBinder {

    private final SurfaceProjection projection;

    ProjectionMeters(SurfaceProjection projection) {
        this.projection = projection;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("surfacelog.sessions.live", projection, of(ProjectionStats::liveSessions))
                .description("Sessions held in memory")
                .register(registry);
        Gauge.builder("surfacelog.sessions.live.size", projection, of(ProjectionStats::liveBytes))
                .description("Memory that the live sessions take, by estimate")
                .baseUnit(BaseUnits.BYTES)
                .register(registry);
        FunctionCounter.builder("surfacelog.sessions.opened", projection, of(ProjectionStats::openedFromLog))
                .description("Sessions read into memory")
                .tag("from", "log")
                .register(registry);
        FunctionCounter.builder("surfacelog.sessions.opened", projection, of(ProjectionStats::openedFromCheckpoint))
                .description("Sessions read into memory")
                .tag("from", "checkpoint")
                .register(registry);
        FunctionCounter.builder("surfacelog.sessions.hits", projection, of(ProjectionStats::hits))
                .description("Looks that found their session in memory")
                .register(registry);
        FunctionTimer.builder(
                        "surfacelog.sessions.open",
                        projection,
                        held -> held.stats().opened(),
                        of(ProjectionStats::openingNanos),
                        TimeUnit.NANOSECONDS)
                .description("Reading a session into memory")
                .register(registry);
        FunctionCounter.builder("surfacelog.sessions.evicted", projection, of(ProjectionStats::evicted))
                .description("Sessions that left memory to make room")
                .register(registry);
        FunctionCounter.builder("surfacelog.checkpoints.written", projection, of(ProjectionStats::checkpointsWritten))
                .description("Checkpoints that the store has kept")
                .register(registry);
        Gauge.builder("surfacelog.checkpoints.lag", projection, SurfaceProjection::checkpointLag)
                .description("Events behind its newest checkpoint of the live session that is farthest from one")
                .register(registry);
    }

    private static ToDoubleFunction<SurfaceProjection> of(ToDoubleFunction<ProjectionStats> number) {
        return projection -> number.applyAsDouble(projection.stats());
    }
}
