package io.surfacelog.autoconfigure;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.compaction.CompactBeforeStep;
import io.surfacelog.compaction.CompactionListener;
import io.surfacelog.compaction.Compactions;
import io.surfacelog.compaction.ExtractiveSummarizer;
import io.surfacelog.compaction.ModelSummarizer;
import io.surfacelog.compaction.PinnedNodes;
import io.surfacelog.compaction.Recall;
import io.surfacelog.compaction.Summarizer;
import io.surfacelog.compaction.TokenEstimator;
import io.surfacelog.compaction.TokenMeter;
import io.surfacelog.compaction.ToolResultPruner;
import io.surfacelog.model.ModelInterceptor;
import io.surfacelog.model.ModelPort;
import io.surfacelog.projection.SessionQueries;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Wires what compacts. Unless an application says otherwise, no model is asked for it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CompactionProperties.class)
class CompactionConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Summarizer surfacelogSummarizer(
            CompactionProperties properties,
            ObjectProvider<ModelPort> model,
            ObjectProvider<ModelInterceptor> interceptors) {
        return switch (properties.summarizer()) {
            case EXTRACTIVE -> new ExtractiveSummarizer();
            case MODEL ->
                ModelSummarizer.of(ModelInterceptor.around(
                        model.getIfUnique(() -> {
                            throw new IllegalStateException(
                                    "expected one bean of type ModelPort for"
                                            + " surfacelog.compaction.summarizer=model, found none or several; configure"
                                            + " surfacelog.model.openai.base-url, declare one, or set the summarizer to extractive");
                        }),
                        interceptors.orderedStream().toList()));
        };
    }

    @Bean
    @ConditionalOnMissingBean
    PinnedNodes surfacelogPinnedNodes() {
        return PinnedNodes.standard();
    }

    @Bean
    @ConditionalOnMissingBean
    Compactions surfacelogCompactions(
            SessionCommands commands,
            SessionQueries queries,
            TokenMeter meter,
            Summarizer summarizer,
            PinnedNodes pinned,
            CompactionProperties properties,
            ObjectProvider<CompactionListener> listeners) {
        return Compactions.of(
                commands,
                queries,
                meter,
                summarizer,
                properties.settings(),
                pinned,
                listeners.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    TokenEstimator surfacelogTokenEstimator() {
        return TokenEstimator.heuristic();
    }

    @Bean
    @ConditionalOnMissingBean
    TokenMeter surfacelogTokenMeter(SessionQueries queries, TokenEstimator estimator) {
        return new TokenMeter(queries, estimator);
    }

    @Bean
    @ConditionalOnMissingBean
    ToolResultPruner surfacelogToolResultPruner(
            SessionCommands commands,
            SessionQueries queries,
            TokenMeter meter,
            CompactionProperties properties,
            ObjectProvider<CompactionListener> listeners) {
        return ToolResultPruner.of(
                commands,
                queries,
                meter,
                properties.prune().settings(),
                listeners.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    Recall surfacelogRecall(SessionQueries queries) {
        return Recall.of(queries);
    }

    /** Behind the hooks of the application, so that what they add is counted. */
    @Bean
    @Order
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "surfacelog.compaction.automatic", matchIfMissing = true)
    CompactBeforeStep surfacelogCompactBeforeStep(
            Compactions compactions, ToolResultPruner pruner, CompactionProperties properties) {
        return properties.prune().automatic()
                ? new CompactBeforeStep(compactions, pruner)
                : new CompactBeforeStep(compactions);
    }

    /** Where Micrometer is there and wants to be told. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Meters {

        @Bean
        @ConditionalOnMissingBean
        CompactionMeters surfacelogCompactionMeters() {
            return new CompactionMeters();
        }
    }
}
