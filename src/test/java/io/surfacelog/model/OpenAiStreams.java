package io.surfacelog.model;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.surfacelog.event.Json;
import java.time.Duration;

/** What the tests of the model over HTTP share: events as endpoints send them, and asking an endpoint. */
final class OpenAiStreams {

    static final String KEY = "sk-test-0123456789-secret";
    static final String DONE = "[DONE]";

    private OpenAiStreams() {}

    static String content(String text) {
        return delta("\"content\":" + Json.of(text).toText());
    }

    static String delta(String members) {
        return "{\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{"
                + members + "},\"finish_reason\":null}],\"usage\":null}";
    }

    static String finish(String reason) {
        return "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" + reason + "\"}]}";
    }

    static OpenAiSettings settings(BadEndpoint endpoint) {
        return OpenAiSettings.at(endpoint.url())
                .key(OpenAiKey.of(() -> KEY))
                .connectTimeout(Duration.ofSeconds(5))
                .idleTimeout(Duration.ofSeconds(20));
    }

    static CollectingSink ask(BadEndpoint endpoint) throws InterruptedException {
        return ask(settings(endpoint));
    }

    static CollectingSink ask(OpenAiSettings settings) throws InterruptedException {
        try (OpenAiModel model = OpenAiModel.of(settings)) {
            return CollectingSink.ask(model, ModelCalls.saying("Hello"));
        }
    }

    /** Asks an endpoint that must make it fail. */
    static ModelException failure(OpenAiSettings settings, CollectingSink sink) {
        try (OpenAiModel model = OpenAiModel.of(settings)) {
            Throwable thrown = catchThrowable(() -> model.stream(ModelCalls.saying("Hello"), sink));
            if (thrown instanceof ModelException fault) {
                return fault;
            }
            throw new AssertionError("expected a ModelException, found " + thrown + " behind " + sink.chunks(), thrown);
        }
    }

    static ModelException failure(BadEndpoint endpoint) {
        return failure(settings(endpoint), new CollectingSink());
    }
}
