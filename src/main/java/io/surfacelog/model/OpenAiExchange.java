package io.surfacelog.model;

import com.openai.client.OpenAIClientImpl;
import com.openai.core.ClientOptions;
import com.openai.core.JsonField;
import com.openai.core.JsonValue;
import com.openai.core.http.Headers;
import com.openai.core.http.HttpResponse;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import io.surfacelog.event.JsonObject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/**
 * One request and what comes back, read by a thread of its own: a read from a socket cannot be interrupted, a wait for this
 * can. What was read waits in a short queue, so that a slow taker slows the endpoint. {@link #close} ends everything at once.
 */
final class OpenAiExchange implements AutoCloseable {

    private static final int AHEAD = 8;
    private static final String DONE = "[DONE]";

    /** Something that came. */
    sealed interface News {
        /** The endpoint agreed to answer. */
        record Begun(Headers headers) implements News {}

        /** An event of its stream. */
        record Came(OpenAiEvents.Event event) implements News {}

        /** The stream is at its end; instead of events there may have been something else. */
        record Ended(String instead) implements News {}

        /** It failed; the body is what came with a status of failure. */
        record Failed(Throwable fault, String errorBody) implements News {}
    }

    private final OpenAiTransport transport;
    private final BlockingQueue<News> news = new ArrayBlockingQueue<>(AHEAD);
    private final Thread reader;
    private volatile boolean over;

    private OpenAiExchange(OpenAiTransport transport, OpenAIClientImpl client, ChatCompletionCreateParams params) {
        this.transport = transport;
        this.reader = new Thread(() -> read(client, params), "surfacelog-openai");
        reader.setDaemon(true);
    }

    /** Sends the request. */
    static OpenAiExchange begin(OkHttpClient http, OpenAiSettings settings, Optional<String> key, JsonObject body) {
        OpenAiTransport transport = new OpenAiTransport(http, key.isPresent());
        ClientOptions options = ClientOptions.builder()
                .httpClient(transport)
                .baseUrl(settings.baseUrl().toString())
                .apiKey(key.orElse("none"))
                .maxRetries(0)
                .streamHandlerExecutor(Runnable::run)
                .build();
        OpenAiExchange exchange = new OpenAiExchange(transport, new OpenAIClientImpl(options), params(body));
        exchange.reader.start();
        return exchange;
    }

    /** What came next, null if nothing did within this time. */
    @Nullable
    News await(Duration atMost) throws InterruptedException {
        return news.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Closes the connection unless everything was read. */
    @Override
    public void close() {
        if (!over) {
            transport.cancel();
            reader.interrupt();
        }
    }

    private static ChatCompletionCreateParams params(JsonObject body) {
        ChatCompletionCreateParams.Builder params = ChatCompletionCreateParams.builder();
        body.forEach((name, value) -> {
            switch (name) {
                case "model" -> params.model(field(OpenAiJson.of(value)));
                case "messages" -> params.messages(field(OpenAiJson.of(value)));
                default -> params.putAdditionalBodyProperty(name, OpenAiJson.of(value));
            }
        });
        return params.build();
    }

    /** A raw value is a field of any type to the library. */
    @SuppressWarnings("unchecked")
    private static <T> JsonField<T> field(JsonValue value) {
        return (JsonField<T>) value;
    }

    private void read(OpenAIClientImpl client, ChatCompletionCreateParams params) {
        try {
            try (HttpResponse response =
                    client.chat().completions().withRawResponse().createStreaming(params)) {
                news.put(new News.Begun(response.headers()));
                OpenAiEvents events = new OpenAiEvents(response.body(), OpenAiEvents.MAX_BYTES);
                OpenAiEvents.Event event = events.next();
                while (event != null && !event.data().strip().equals(DONE)) {
                    news.put(new News.Came(event));
                    event = events.next();
                }
                over = true;
                news.put(new News.Ended(events.instead()));
            }
        } catch (InterruptedException closed) {
            // nobody waits for the rest any more
            transport.cancel();
        } catch (Exception | LinkageError | OutOfMemoryError | StackOverflowError e) {
            fail(e);
        }
    }

    private void fail(Throwable fault) {
        over = true;
        try {
            news.put(new News.Failed(fault, transport.errorBody()));
        } catch (InterruptedException closed) {
            transport.cancel();
        }
    }
}
