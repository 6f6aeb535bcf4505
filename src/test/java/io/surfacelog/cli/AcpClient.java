package io.surfacelog.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The client's end of a connection: says what it is told to, and keeps whatever comes, in order. */
final class AcpClient {

    private static final long SECONDS = 60;

    private final OutputStream to;
    private final List<JsonObject> heard = new ArrayList<>();
    private boolean ended;
    private boolean paused;
    private int lastId = 100;

    AcpClient(OutputStream to, InputStream from) {
        this.to = to;
        Thread reader = new Thread(() -> read(from), "acp-client");
        reader.setDaemon(true);
        reader.start();
    }

    private void read(InputStream from) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(from, UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonObject message = (JsonObject) Json.parse(line);
                synchronized (this) {
                    while (paused) {
                        wait();
                    }
                    heard.add(message);
                    notifyAll();
                }
            }
        } catch (IOException | InterruptedException e) {
            // a process that was killed, or a pipe that was closed
        } finally {
            synchronized (this) {
                ended = true;
                notifyAll();
            }
        }
    }

    /** Reads nothing more for now. */
    synchronized void pause() {
        paused = true;
    }

    synchronized void goOn() {
        paused = false;
        notifyAll();
    }

    /** Sends a line as it is. */
    void line(String line) {
        try {
            to.write((line + "\n").getBytes(UTF_8));
            to.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void hangUp() throws IOException {
        to.close();
    }

    /** Sends a request and returns its id. */
    int send(String method, JsonObject params) {
        int id = ++lastId;
        line(message(method, params).put("id", id).build().toText());
        return id;
    }

    void notify(String method, JsonObject params) {
        line(message(method, params).build().toText());
    }

    private static JsonObject.Builder message(String method, JsonObject params) {
        return JsonObject.builder().put("jsonrpc", "2.0").put("method", method).put("params", params);
    }

    /** Waits for a message, from the beginning on. */
    JsonObject await(Predicate<JsonObject> which) throws InterruptedException {
        int at = 0;
        while (!which.test(at(at))) {
            at++;
        }
        return at(at);
    }

    /** Waits until so many messages have come before it. */
    synchronized JsonObject at(int place) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (place >= heard.size()) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (ended || left <= 0) {
                throw new AssertionError((ended ? "the agent has ended; " : "it did not come; ") + "heard " + heard);
            }
            wait(left);
        }
        return heard.get(place);
    }

    synchronized List<JsonObject> heard() {
        return List.copyOf(heard);
    }

    /** Waits until the agent has said its last. */
    synchronized List<JsonObject> awaitEnd() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!ended) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("it did not end; heard " + heard);
            }
            wait(left);
        }
        return List.copyOf(heard);
    }

    JsonObject response(int id) throws InterruptedException {
        return await(message -> id(message) == id && !message.has("method"));
    }

    private static long id(JsonObject message) {
        return message.get("id") instanceof JsonNumber number
                ? number.safeInteger().orElse(-1)
                : -1;
    }

    JsonObject result(int id) throws InterruptedException {
        JsonObject response = response(id);
        return response.object("result").orElseThrow(() -> new AssertionError("no result but " + response));
    }

    JsonObject error(int id) throws InterruptedException {
        JsonObject response = response(id);
        return response.object("error").orElseThrow(() -> new AssertionError("no error but " + response));
    }

    String stopReason(int id) throws InterruptedException {
        return result(id).string("stopReason").orElseThrow();
    }

    void initialize() throws InterruptedException {
        int id = send(
                "initialize", JsonObject.builder().put("protocolVersion", 1).build());
        assertThat(result(id).longValue("protocolVersion")).hasValue(1);
    }

    String newSession(String cwd) throws InterruptedException {
        return result(send("session/new", session(null, cwd)))
                .string("sessionId")
                .orElseThrow();
    }

    static JsonObject session(String id, String cwd) {
        return JsonObject.builder()
                .putIfPresent("sessionId", id)
                .put("cwd", cwd)
                .put("mcpServers", JsonArray.EMPTY)
                .build();
    }

    int prompt(String session, String text) {
        return send(
                "session/prompt",
                JsonObject.builder()
                        .put("sessionId", session)
                        .put("prompt", JsonArray.of(List.of(AcpContent.text(text))))
                        .build());
    }

    void cancel(String session) {
        notify("session/cancel", JsonObject.builder().put("sessionId", session).build());
    }

    JsonObject awaitUpdate(String session, Predicate<JsonObject> which) throws InterruptedException {
        return await(message -> update(message, session).stream().anyMatch(which));
    }

    /** The updates of a session so far. */
    List<JsonObject> updates(String session) {
        return updates(heard(), session);
    }

    static List<JsonObject> updates(List<JsonObject> messages, String session) {
        return messages.stream()
                .flatMap(message -> update(message, session).stream())
                .toList();
    }

    private static List<JsonObject> update(JsonObject message, String session) {
        return message.object("params")
                .filter(params -> message.string("method").orElse("").equals("session/update"))
                .filter(params -> params.string("sessionId").orElse("").equals(session))
                .map(params -> List.of(params.object("update").orElseThrow()))
                .orElse(List.of());
    }

    static String kind(JsonObject update) {
        return update.string("sessionUpdate").orElseThrow();
    }

    static boolean isText(JsonObject update) {
        return kind(update).equals("agent_message_chunk");
    }

    /** What the agent said in these updates. */
    static String said(List<JsonObject> updates) {
        StringBuilder text = new StringBuilder();
        for (JsonObject update : updates) {
            if (isText(update)) {
                text.append(
                        update.object("content").orElseThrow().string("text").orElseThrow());
            }
        }
        return text.toString();
    }
}
