package io.surfacelog.model;

import com.openai.core.RequestOptions;
import com.openai.core.http.Headers;
import com.openai.core.http.HttpClient;
import com.openai.core.http.HttpRequest;
import com.openai.core.http.HttpResponse;
import com.openai.errors.OpenAIIoException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;

/**
 * Sends the one request of an attempt. The client library's own transport cannot be cancelled from another thread once the
 * answer has begun, and it has a body log that the environment switches on. {@link #cancel} may be called by any thread.
 */
final class OpenAiTransport implements HttpClient {

    private static final int MAX_ERROR_BYTES = 64 << 10;
    private static final String AUTHORIZATION = "Authorization";

    private final OkHttpClient http;
    private final boolean withKey;
    private volatile boolean cancelled;
    private volatile @Nullable Call call;
    private volatile String errorBody = "";

    OpenAiTransport(OkHttpClient http, boolean withKey) {
        this.http = http;
        this.withKey = withKey;
    }

    @Override
    public HttpResponse execute(HttpRequest request, RequestOptions requestOptions) {
        Call sent = http.newCall(request(request));
        call = sent;
        if (cancelled) {
            sent.cancel();
        }
        try {
            return answer(sent.execute());
        } catch (IOException e) {
            throw new OpenAIIoException("the request failed", e);
        }
    }

    @Override
    public CompletableFuture<HttpResponse> executeAsync(HttpRequest request, RequestOptions requestOptions) {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("an attempt is sent on its own thread; use execute"));
    }

    /** Ends the request at once, wherever it is: the connection is closed, and whoever reads from it fails. */
    void cancel() {
        cancelled = true;
        Call sent = call;
        if (sent != null) {
            sent.cancel();
        }
    }

    /** The beginning of what came with a status other than 2xx, empty if nothing did. */
    String errorBody() {
        return errorBody;
    }

    /** Nothing to close: the connections belong to the model. */
    @Override
    public void close() {}

    private Request request(HttpRequest request) {
        HttpUrl.Builder url = HttpUrl.get(request.baseUrl()).newBuilder();
        request.pathSegments().forEach(url::addPathSegment);
        Request.Builder builder = new Request.Builder().url(url.build());
        Headers headers = request.headers();
        for (String name : headers.names()) {
            if (withKey || !name.equalsIgnoreCase(AUTHORIZATION)) {
                headers.values(name).forEach(value -> builder.addHeader(name, value));
            }
        }
        // compressed, a stream waits for the compressor
        builder.header("Accept-Encoding", "identity");
        return builder.post(new Once(bytes(request))).build();
    }

    private static byte[] bytes(HttpRequest request) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (var body = request.body()) {
            if (body != null) {
                body.writeTo(bytes);
            }
        }
        return bytes.toByteArray();
    }

    private HttpResponse answer(Response response) throws IOException {
        ResponseBody body = response.body();
        InputStream in = body == null ? InputStream.nullInputStream() : body.byteStream();
        if (!response.isSuccessful()) {
            byte[] found = new byte[0];
            try (response) {
                found = in.readNBytes(MAX_ERROR_BYTES);
            } catch (IOException e) {
                // the status says enough; what should have followed it may be cut off or withheld
                found = ("(unreadable: " + e.getMessage() + ")").getBytes(StandardCharsets.UTF_8);
            }
            errorBody = new String(found, StandardCharsets.UTF_8);
            in = new ByteArrayInputStream(found);
        }
        Headers.Builder headers = Headers.builder();
        response.headers().forEach(header -> headers.put(header.getFirst(), header.getSecond()));
        return new Answer(response, headers.build(), in);
    }

    /** The body of a request, which is never sent twice: retrying is for whoever asked. */
    private static final class Once extends RequestBody {

        private final byte[] bytes;

        Once(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public MediaType contentType() {
            return MediaType.get("application/json");
        }

        @Override
        public long contentLength() {
            return bytes.length;
        }

        @Override
        public boolean isOneShot() {
            return true;
        }

        @Override
        public void writeTo(BufferedSink sink) throws IOException {
            sink.write(bytes);
        }
    }

    /** An answer that has begun. */
    private record Answer(Response response, Headers headers, InputStream body) implements HttpResponse {

        @Override
        public int statusCode() {
            return response.code();
        }

        @Override
        public void close() {
            response.close();
        }
    }
}
