package io.surfacelog.actuate;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.stream.EventDispatcher;

/** Meters of what is under way: the queue before the store, the listeners behind it, what was found damaged. */
final class WriterMeters implements MeterBinder {

    private final SessionCommands commands;
    private final EventDispatcher dispatcher;
    private final DamagedSessions damaged;

    WriterMeters(SessionCommands commands, EventDispatcher dispatcher, DamagedSessions damaged) {
        this.commands = commands;
        this.dispatcher = dispatcher;
        this.damaged = damaged;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("surfacelog.queue.writes", commands, all -> all.writer().queuedWrites())
                .description("Writes that wait to be committed")
                .register(registry);
        Gauge.builder("surfacelog.queue.waiting", commands, all -> all.writer().waitingForRoom())
                .description("Writes that wait to be let in")
                .register(registry);
        Gauge.builder("surfacelog.queue.size", commands, all -> all.writer().queuedBytes())
                .description("What is planned and not settled")
                .baseUnit(BaseUnits.BYTES)
                .register(registry);
        Gauge.builder("surfacelog.queue.limit", commands, all -> all.writer().maxQueuedBytes())
                .description("How much may be planned and not settled")
                .baseUnit(BaseUnits.BYTES)
                .register(registry);
        Gauge.builder("surfacelog.listeners", dispatcher, all -> all.stats().listeners())
                .description("Listeners of committed events")
                .register(registry);
        FunctionCounter.builder(
                        "surfacelog.listener.failures",
                        dispatcher,
                        all -> all.stats().failures())
                .description("Events that a listener has failed on")
                .register(registry);
        Gauge.builder("surfacelog.sessions.damaged", damaged, all -> all.all().size())
                .description("Sessions that were found damaged")
                .register(registry);
    }
}
