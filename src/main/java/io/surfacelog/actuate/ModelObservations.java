package io.surfacelog.actuate;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.Usage;
import io.surfacelog.model.ChunkSink;
import io.surfacelog.model.FinishReason;
import io.surfacelog.model.ModelCall;
import io.surfacelog.model.ModelInterceptor;
import io.surfacelog.model.ModelPort;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * An observation around each call of a model, and the tokens it took, named as OpenTelemetry's conventions for generative AI
 * name them.
 */
final class ModelObservations implements ModelInterceptor {

    static final String NAME = "gen_ai.client.operation.duration";

    private static final String OPERATION = "gen_ai.operation.name";
    private static final String PROVIDER = "gen_ai.provider.name";
    private static final String MODEL = "gen_ai.request.model";
    private static final String CHAT = "chat";
    private static final String UNKNOWN = "unknown";

    private final ObservationRegistry observations;

    /** Asked late: whoever makes a registry may need what needs this. */
    private final ObjectProvider<MeterRegistry> meters;

    ModelObservations(ObservationRegistry observations, ObjectProvider<MeterRegistry> meters) {
        this.observations = observations;
        this.meters = meters;
    }

    @Override
    public void stream(ModelCall call, ChunkSink sink, ModelPort next) throws InterruptedException {
        Optional<RequestHeader> header = call.request().header();
        String provider = header.map(RequestHeader::provider).orElse(UNKNOWN);
        String model = header.map(RequestHeader::model).orElse(UNKNOWN);
        Observation observation = Observation.createNotStarted(NAME, observations)
                .contextualName(CHAT + " " + model)
                .lowCardinalityKeyValue(OPERATION, CHAT)
                .lowCardinalityKeyValue(PROVIDER, provider)
                .lowCardinalityKeyValue(MODEL, model)
                .highCardinalityKeyValue(
                        CommandObservations.CONVERSATION, call.session().value())
                .start();
        Heard heard = new Heard(sink);
        Observation.Scope scope = observation.openScope();
        try {
            next.stream(call, heard);
        } catch (Throwable e) {
            observation.error(e);
            throw e;
        } finally {
            scope.close();
            heard.tell(observation);
            observation.stop();
            heard.usage().ifPresent(usage -> count(provider, model, usage));
        }
    }

    private void count(String provider, String model, Usage usage) {
        meters.ifAvailable(registry -> {
            tokens(registry, provider, model, "input").record((double) usage.inputTokens());
            tokens(registry, provider, model, "output").record((double) usage.outputTokens());
        });
    }

    private static DistributionSummary tokens(MeterRegistry registry, String provider, String model, String type) {
        return DistributionSummary.builder("gen_ai.client.token.usage")
                .description("Tokens of one call of a model, as it has reported them")
                .tag(OPERATION, CHAT)
                .tag(PROVIDER, provider)
                .tag(MODEL, model)
                .tag("gen_ai.token.type", type)
                .register(registry);
    }

    /** Hands on every chunk, and remembers what it says of the call. */
    private static final class Heard implements ChunkSink {

        private final ChunkSink sink;
        private @Nullable Usage usage;
        private @Nullable FinishReason finish;

        Heard(ChunkSink sink) {
            this.sink = sink;
        }

        @Override
        public void accept(StreamChunk chunk) {
            if (chunk instanceof StreamChunk.UsageReport report) {
                usage = report.usage().orElse(usage);
            } else if (chunk instanceof StreamChunk.Finish last) {
                finish = FinishReason.of(last);
            }
            sink.accept(chunk);
        }

        @Override
        public boolean isCancelled() {
            return sink.isCancelled();
        }

        Optional<Usage> usage() {
            return Optional.ofNullable(usage);
        }

        void tell(Observation observation) {
            if (usage != null) {
                observation.highCardinalityKeyValue("gen_ai.usage.input_tokens", Long.toString(usage.inputTokens()));
                observation.highCardinalityKeyValue("gen_ai.usage.output_tokens", Long.toString(usage.outputTokens()));
            }
            if (finish != null) {
                observation.highCardinalityKeyValue("gen_ai.response.finish_reasons", finish.kind());
            }
        }
    }
}
