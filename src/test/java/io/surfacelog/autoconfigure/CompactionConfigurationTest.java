package io.surfacelog.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.surfacelog.agent.BeforeStep;
import io.surfacelog.compaction.CompactBeforeStep;
import io.surfacelog.compaction.CompactionFault;
import io.surfacelog.compaction.CompactionOutcome;
import io.surfacelog.compaction.CompactionRequest;
import io.surfacelog.compaction.CompactionSettings;
import io.surfacelog.compaction.Compactions;
import io.surfacelog.compaction.ExtractiveSummarizer;
import io.surfacelog.compaction.ModelSummarizer;
import io.surfacelog.compaction.ModelWindow;
import io.surfacelog.compaction.Summarizer;
import io.surfacelog.compaction.Summary;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.SessionId;
import io.surfacelog.model.ModelPort;
import io.surfacelog.model.ScriptedModel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class CompactionConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SurfacelogAutoConfiguration.class))
            .withPropertyValues("surfacelog.store=memory");

    @Test
    void an_application_compacts_by_itself_and_asks_no_model_for_it() {
        runner.withBean(ModelPort.class, () -> ScriptedModel.of()).run(context -> {
            assertThat(context).hasSingleBean(Compactions.class);
            assertThat(context.getBean(Summarizer.class)).isInstanceOf(ExtractiveSummarizer.class);
            assertThat(context.getBean(BeforeStep.class)).isInstanceOf(CompactBeforeStep.class);
        });
    }

    @Test
    void it_does_not_where_that_is_turned_off() {
        runner.withPropertyValues("surfacelog.compaction.automatic=false")
                .run(context ->
                        assertThat(context).hasSingleBean(Compactions.class).doesNotHaveBean(BeforeStep.class));
    }

    @Test
    void a_model_makes_the_summaries_where_that_is_asked_for_and_there_is_one() {
        runner.withPropertyValues("surfacelog.compaction.summarizer=model")
                .withBean(ModelPort.class, () -> ScriptedModel.of())
                .run(context -> assertThat(context.getBean(Summarizer.class)).isInstanceOf(ModelSummarizer.class));
        runner.withPropertyValues("surfacelog.compaction.summarizer=model")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("surfacelog.compaction.summarizer=model"));
    }

    @Test
    void a_summarizer_of_the_application_takes_the_place_of_ours() {
        Summarizer own = request -> Summary.of("So it was.", "example", "own");
        runner.withBean("ownSummarizer", Summarizer.class, () -> own)
                .run(context -> assertThat(context.getBean(Summarizer.class)).isSameAs(own));
    }

    @Test
    void settings_are_bound_and_models_inherit_what_they_do_not_say() {
        CompactionSettings settings = bound(Map.of(
                "surfacelog.compaction.context-window", "100000",
                "surfacelog.compaction.threshold", "0.7",
                "surfacelog.compaction.retries", "2",
                "surfacelog.compaction.when-changed", "fail",
                "surfacelog.compaction.models[openai/gpt-5].context-window", "272000",
                "surfacelog.compaction.models[small].threshold", "0.5"));
        assertThat(settings.windowOf("openai", "gpt-5"))
                .isEqualTo(new ModelWindow(OptionalLong.of(272_000), 0.7, 0.16));
        assertThat(settings.windowOf("any", "small")).isEqualTo(new ModelWindow(OptionalLong.of(100_000), 0.5, 0.16));
        assertThat(settings.windowOf("any", "other")).isEqualTo(new ModelWindow(OptionalLong.of(100_000), 0.7, 0.16));
        assertThat(settings.retries()).isEqualTo(2);
        assertThat(settings.whenChanged()).isEqualTo(CompactionSettings.WhenChanged.FAIL);
        assertThat(bound(Map.of())).isEqualTo(CompactionSettings.defaults());
    }

    private static CompactionSettings bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("surfacelog.compaction", Bindable.of(CompactionProperties.class))
                .settings();
    }

    @Test
    void a_setting_out_of_range_is_refused_with_its_range() {
        Map.of(
                        "threshold=1.5", "a threshold above 0 up to 1",
                        "retained-tail=0.9", "a retained tail from 0 and below the threshold 0.8",
                        "retries=11", "0 to 10 retries",
                        "summary-tokens=1", "64 to 1,000,000 tokens",
                        "timeout=2d", "a timeout from 1 ms to a day",
                        "context-window=0", "a context window from 1 token",
                        "models[m].threshold=0", "a threshold above 0 up to 1")
                .forEach((setting, range) -> runner.withPropertyValues("surfacelog.compaction." + setting)
                        .run(context -> assertThat(context.getStartupFailure())
                                .as(setting)
                                .hasStackTraceContaining(range)));
    }

    @Test
    void meters_tell_how_compactions_end_and_what_they_bring() {
        runner.run(context -> {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            CompactionMeters meters = context.getBean(CompactionMeters.class);
            meters.bindTo(registry);
            SessionId id = SessionId.of("s");
            meters.ended(
                    id,
                    CompactionRequest.Cause.PRESSURE,
                    new CompactionOutcome.Compacted("c", 9, EventSeqs.of(1, 2), 900, 1_000, 200, List.of()),
                    Duration.ofMillis(5));
            meters.ended(
                    id,
                    CompactionRequest.Cause.ASKED,
                    new CompactionOutcome.Failed("c", CompactionFault.SUMMARY_EMPTY, "blank"),
                    Duration.ofMillis(5));
            assertThat(registry.get("surfacelog.compactions")
                            .tags("cause", "pressure", "outcome", "compacted")
                            .timer()
                            .count())
                    .isOne();
            assertThat(registry.get("surfacelog.compactions")
                            .tags("cause", "asked", "outcome", "summary-empty")
                            .timer()
                            .count())
                    .isOne();
            assertThat(registry.get("surfacelog.compactions.tokens")
                            .tags("when", "after")
                            .summary()
                            .totalAmount())
                    .isEqualTo(200);
        });
    }

    @Test
    void it_starts_without_micrometer() {
        runner.withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Compactions.class));
    }
}
