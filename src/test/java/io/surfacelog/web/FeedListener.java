package io.surfacelog.web;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client of the feed that reads as an EventSource would, and can be killed. */
final class FeedListener implements AutoCloseable {

    private static final Said END = new Said("", "end", "");

    /** One server-sent event; a comment has the type {@code comment}. */
    record Said(String id, String type, String data) {

        JsonObject json() {
            return (JsonObject) Json.parse(data);
        }

        long seq() {
            return json().object("event").orElseThrow().longValue("seq").orElseThrow();
        }

        boolean isEvent() {
            return type.equals("session/event");
        }
    }

    private final InputStream in;
    private final BlockingQueue<Said> said = new LinkedBlockingQueue<>();

    private FeedListener(InputStream in) {
        this.in = in;
        Thread thread = new Thread(this::read, "feed-listener");
        thread.setDaemon(true);
        thread.start();
    }

    static FeedListener of(Served served, String path, String... headers) {
        try {
            HttpResponse<InputStream> response = served.http.send(
                    served.request(path, headers).GET().build(), HttpResponse.BodyHandlers.ofInputStream());
            if (response.statusCode() != 200) {
                throw new AssertionError(response.statusCode() + " "
                        + new String(response.body().readAllBytes(), StandardCharsets.UTF_8));
            }
            return new FeedListener(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            String id = "";
            String type = "";
            String data = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(":")) {
                    said.add(new Said("", "comment", ""));
                } else if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("event: ")) {
                    type = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    data = line.substring(6);
                } else if (line.isEmpty() && !data.isEmpty()) {
                    said.add(new Said(id, type, data));
                    data = "";
                }
            }
        } catch (IOException killed) {
            // as it was meant to be
        } finally {
            said.add(END);
        }
    }

    /** What it hears next, comments included; the type {@code end} when it is over. */
    Said next() {
        try {
            Said next = said.poll(20, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("heard nothing for 20 seconds");
            }
            return next;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The next that is no comment. */
    Said nextWord() {
        Said next = next();
        while (next.type().equals("comment")) {
            next = next();
        }
        return next;
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
