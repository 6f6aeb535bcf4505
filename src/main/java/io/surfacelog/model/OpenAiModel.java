package io.surfacelog.model;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.model.OpenAiExchange.News;
import io.surfacelog.provider.RenderedRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import okhttp3.OkHttpClient;

/**
 * A model behind an endpoint that speaks OpenAI's chat completions, streaming. Needs the optional dependency {@code
 * com.openai:openai-java-client-okhttp}. Safe for use by several threads; each attempt reads on a thread of its own.
 *
 * <pre>{@code
 * try (OpenAiModel model = OpenAiModel.of(OpenAiSettings.at("https://api.openai.com/v1"))) {
 *     model.stream(call, sink);
 * }
 * }</pre>
 *
 * <p>The request is the session's, rendered for the settings' {@linkplain OpenAiSettings#provider() provider}, plus {@code
 * stream} and {@code stream_options}. It is sent once: whether to try again is for the caller to say, by the {@linkplain
 * ModelException#kind() kind} of the failure. An answer is complete when the endpoint said why it stopped, whatever becomes
 * of the connection after that; a stream that ends before is cut off, and returns without a finish chunk. Interruption and
 * {@link ChunkSink#isCancelled} close the connection within a few milliseconds.
 *
 * <p>No part of the key, and of what is asked, is logged.
 */
public final class OpenAiModel implements ModelPort, AutoCloseable {

    /** How often it is asked whether the attempt was cancelled. */
    private static final Duration LOOK = Duration.ofMillis(20);
    /** How long the usage may lag behind the end of the answer. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final OpenAiSettings settings;
    private final OkHttpClient http;

    private OpenAiModel(OpenAiSettings settings) {
        this.settings = settings;
        this.http = new OkHttpClient.Builder()
                .connectTimeout(settings.connectTimeout())
                .readTimeout(settings.idleTimeout())
                .writeTimeout(settings.idleTimeout())
                .callTimeout(settings.callTimeout())
                // the conversation goes to the host that was configured, and to no other
                .followRedirects(false)
                .followSslRedirects(false)
                .build();
    }

    /** A model at this endpoint; nothing is sent before the first call. */
    public static OpenAiModel of(OpenAiSettings settings) {
        return new OpenAiModel(settings);
    }

    @Override
    public void stream(ModelCall call, ChunkSink sink) throws InterruptedException {
        Optional<String> key = settings.key().read();
        OpenAiFaults faults = new OpenAiFaults(settings, key, Clock.systemUTC());
        RenderedRequest request = settings.provider()
                .render(call.request().header(), call.request().messages());
        OpenAiChunks chunks = new OpenAiChunks(request.toolNames());
        try (OpenAiExchange exchange = OpenAiExchange.begin(http, settings, key, body(call, request))) {
            pass(exchange, chunks, faults, sink);
        }
        String reason = chunks.finish().orElse("");
        if (reason.equals("error") || reason.equals("insufficient_system_resource")) {
            throw faults.stopped(reason);
        }
        chunks.end().forEach(sink::accept);
    }

    /** Closes the connections that wait to be used again. */
    @Override
    public void close() {
        http.connectionPool().evictAll();
    }

    private JsonObject body(ModelCall call, RenderedRequest request) {
        JsonObject body = request.body()
                .with(
                        "stream_options",
                        JsonObject.builder().put("include_usage", true).build());
        if (call.request().header().isPresent()) {
            return body;
        }
        String model = settings.model()
                .orElseThrow(() -> ModelException.of(
                        ModelException.Kind.PERMANENT,
                        "MODEL_MISSING",
                        "expected a model in the request header or in the settings of " + settings.baseUrl()
                                + ", found none"));
        return body.with("model", Json.of(model));
    }

    private void pass(OpenAiExchange exchange, OpenAiChunks chunks, OpenAiFaults faults, ChunkSink sink)
            throws InterruptedException {
        long lag = Math.min(GRACE.toNanos(), settings.idleTimeout().toNanos());
        long finished = 0;
        while (true) {
            if (sink.isCancelled()) {
                throw new ModelCancelledException();
            }
            boolean done = chunks.finish().isPresent();
            if (done && finished == 0) {
                finished = System.nanoTime();
            }
            News news = exchange.await(LOOK);
            if (news instanceof News.Begun begun) {
                faults.answered(begun.headers());
            } else if (news instanceof News.Came came) {
                read(came.event(), chunks, faults, sink);
            } else if (news instanceof News.Ended ended) {
                if (!chunks.isAnswer()) {
                    readWhole(ended.instead(), chunks, faults, sink);
                }
                return;
            } else if (news instanceof News.Failed failed) {
                if (!done) {
                    throw faults.thrown(failed.fault(), failed.errorBody());
                }
                return;
            } else if (done && System.nanoTime() - finished > lag) {
                return;
            }
        }
    }

    private static void read(OpenAiEvents.Event event, OpenAiChunks chunks, OpenAiFaults faults, ChunkSink sink) {
        if (event.data().isBlank()) {
            return;
        }
        Optional<JsonObject> object = parsed(event.data());
        if (object.isPresent()) {
            read(object.get(), chunks, faults, sink);
        } else if (event.whole() && chunks.finish().isEmpty()) {
            // cut off in the middle, what is missing could not be told from what is wrong
            throw faults.garbage(event.data());
        }
    }

    private static void read(JsonObject object, OpenAiChunks chunks, OpenAiFaults faults, ChunkSink sink) {
        if (!OpenAiFaults.isFailure(object)) {
            chunks.read(object).forEach(sink::accept);
        } else if (chunks.finish().isEmpty()) {
            throw faults.told(object);
        }
    }

    /** An endpoint that does not stream answers with one JSON object. */
    private static void readWhole(String instead, OpenAiChunks chunks, OpenAiFaults faults, ChunkSink sink) {
        Optional<JsonObject> object = parsed(instead);
        if (object.isPresent()) {
            read(object.get(), chunks, faults, sink);
        }
        if (!chunks.isAnswer()) {
            throw faults.noStream(instead);
        }
    }

    private static Optional<JsonObject> parsed(String text) {
        try {
            return Json.parse(text) instanceof JsonObject object ? Optional.of(object) : Optional.empty();
        } catch (AdmissionException noJson) {
            // what it is instead is for the caller to judge
            return Optional.empty();
        }
    }
}
