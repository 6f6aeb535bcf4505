package io.surfacelog.autoconfigure;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.surfacelog.compaction.CompactionListener;
import io.surfacelog.compaction.CompactionOutcome;
import io.surfacelog.compaction.CompactionRequest;
import io.surfacelog.compaction.PrunePlan;
import io.surfacelog.event.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** Meters of compactions: how long they take, how they end, and what surfaces cost before and after. */
final class CompactionMeters implements MeterBinder, CompactionListener {

    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();

    @Override
    public void bindTo(MeterRegistry registry) {
        registries.add(registry);
    }

    @Override
    public void ended(SessionId session, CompactionRequest.Cause cause, CompactionOutcome outcome, Duration took) {
        for (MeterRegistry registry : registries) {
            Timer.builder("surfacelog.compactions")
                    .description("Compactions that were asked for and needed")
                    .tag("cause", cause.name().toLowerCase(Locale.ROOT))
                    .tag("outcome", nameOf(outcome))
                    .register(registry)
                    .record(took);
            if (outcome instanceof CompactionOutcome.Compacted compacted) {
                tokens(registry, "before").record((double) compacted.tokensBefore());
                tokens(registry, "after").record((double) compacted.tokensAfter());
            }
        }
    }

    @Override
    public void pruned(SessionId session, PrunePlan done) {
        for (MeterRegistry registry : registries) {
            Counter.builder("surfacelog.prunes")
                    .description("Tool results that were shortened")
                    .baseUnit("results")
                    .register(registry)
                    .increment(done.pruned().size());
            Counter.builder("surfacelog.prunes.reclaimed")
                    .description("What shortening them has reclaimed, by estimate")
                    .baseUnit("tokens")
                    .register(registry)
                    .increment((double) done.reclaimed());
        }
    }

    private static DistributionSummary tokens(MeterRegistry registry, String when) {
        return DistributionSummary.builder("surfacelog.compactions.tokens")
                .description("What compacted surfaces cost, by estimate")
                .baseUnit("tokens")
                .tag("when", when)
                .register(registry);
    }

    private static String nameOf(CompactionOutcome outcome) {
        if (outcome instanceof CompactionOutcome.Failed failed) {
            return failed.fault().code();
        }
        return outcome instanceof CompactionOutcome.Compacted ? "compacted" : "nothing";
    }
}
