package io.surfacelog.actuate;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.surfacelog.projection.QueryObserver;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Meters of what is asked: how long it takes to have the messages of a session. */
final class QueryMeters implements QueryObserver {

    private final Map<Moment, Timer> derive = new EnumMap<>(Moment.class);

    QueryMeters(MeterRegistry registry) {
        for (Moment moment : Moment.values()) {
            derive.put(
                    moment,
                    Timer.builder("surfacelog.derive")
                            .description("Deriving the messages or the request of a session")
                            .tag("moment", moment == Moment.NOW ? "now" : "as-of")
                            .register(registry));
        }
    }

    @Override
    public void derived(Moment moment, long nanos) {
        Timer timer = derive.get(moment);
        if (timer != null) {
            timer.record(nanos, TimeUnit.NANOSECONDS);
        }
    }
}
