package io.surfacelog.actuate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.surfacelog.command.Appended;
import io.surfacelog.command.CommandObserver;
import io.surfacelog.command.CommitGroup;
import io.surfacelog.command.DriverLease;
import io.surfacelog.command.Imported;
import io.surfacelog.command.RecoverSession;
import io.surfacelog.command.SessionCommand;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.surface.StructureException;
import java.time.Duration;
import java.util.List;

/** Meters of what is written: how much, how fast, and what was refused. */
final class CommandMeters implements CommandObserver {

    private static final String EVENTS = "surfacelog.events";

    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofMillis(2_500)
    };

    private final MeterRegistry registry;
    private final Counter appends;
    private final Counter appended;
    private final Counter imported;
    private final Counter recovered;
    private final Counter bytes;
    private final Counter replaces;
    private final Timer commit;
    private final Timer wait;
    private final DistributionSummary group;

    CommandMeters(MeterRegistry registry) {
        this.registry = registry;
        this.appends = Counter.builder("surfacelog.appends")
                .description("Appends and creations that were committed")
                .register(registry);
        this.appended = events("append");
        this.imported = events("import");
        this.recovered = events("recover");
        this.bytes = Counter.builder("surfacelog.events.size")
                .description("Appended events as compact JSON")
                .baseUnit(BaseUnits.BYTES)
                .register(registry);
        this.replaces = Counter.builder("surfacelog.replaces")
                .description("Appended events that took the place of others on a surface")
                .register(registry);
        this.commit = Timer.builder("surfacelog.commit")
                .description("A transaction, until it is durable")
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
        this.wait = Timer.builder("surfacelog.queue.wait")
                .description("From the plan of a write to the transaction that commits it")
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
        this.group = DistributionSummary.builder("surfacelog.commit.group")
                .description("Writes in one transaction")
                .baseUnit("writes")
                .register(registry);
    }

    private Counter events(String door) {
        return Counter.builder(EVENTS)
                .description("Events that were committed")
                .tag("door", door)
                .register(registry);
    }

    @Override
    public void committed(CommitGroup done) {
        appends.increment(done.writes());
        appended.increment(done.events().size());
        commit.record(done.took());
        group.record(done.writes());
        done.waits().forEach(wait::record);
        count(done.events());
    }

    private void count(List<SessionEvent> events) {
        long size = 0;
        long replacing = 0;
        for (SessionEvent event : events) {
            size += event.data().utf8Bytes();
            if (event.isSurface()
                    && event.intent().filter(intent -> !intent.isAppend()).isPresent()) {
                replacing++;
            }
        }
        bytes.increment((double) size);
        replaces.increment((double) replacing);
    }

    @Override
    public Course begin(SessionCommand<?> command) {
        return new Counting(command);
    }

    private final class Counting implements Course {

        private final SessionCommand<?> command;

        Counting(SessionCommand<?> command) {
            this.command = command;
        }

        @Override
        public void succeeded(Object result) {
            // what is committed beside the queue
            if (result instanceof Imported done) {
                imported.increment((double) done.events());
            } else if (result instanceof DriverLease lease) {
                recovered.increment(lease.recovered().events().size());
            } else if (command instanceof RecoverSession && result instanceof Appended closers) {
                recovered.increment(closers.events().size());
            }
        }

        @Override
        public void failed(Throwable cause) {
            if (cause instanceof AdmissionException refused) {
                rejected(refused.rule().code());
            } else if (cause instanceof StructureException refused) {
                rejected(refused.rule().code());
            }
        }

        /** Rules are few, and each is a word of the format. */
        private void rejected(String rule) {
            Counter.builder("surfacelog.rejected")
                    .description("Events that were refused, by the rule that refused them")
                    .tag("rule", rule)
                    .register(registry)
                    .increment();
        }
    }
}
