package io.surfacelog.cli;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.transfer.JsonlWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A log file to be imported, line by line, so that any of its lines can be wrong. */
final class LogFile {

    private final List<String> lines = new ArrayList<>();

    private LogFile(String header) {
        lines.add(header);
    }

    static LogFile of(String id) {
        return withHeader("{\"type\":\"session\",\"version\":0,\"id\":\"" + id + "\",\"createdAt\":1790000000000}");
    }

    static LogFile withHeader(String header) {
        return new LogFile(header);
    }

    /** One event per line. */
    static LogFile of(String id, List<SessionEvent> events) {
        LogFile file = of(id);
        events.forEach(event -> file.lines.add(event.toText()));
        return file;
    }

    LogFile line(String line) {
        lines.add(line);
        return this;
    }

    /** The next event, of a type that never joins the surface. */
    LogFile event(String type, String data) {
        return line("{\"type\":\"" + type + "\",\"seq\":" + (lines.size() - 1) + ",\"time\":5,\"data\":" + data + "}");
    }

    /** The next event, a message of the user. */
    LogFile user(String text) {
        return line("{\"type\":\"user/message\",\"seq\":" + (lines.size() - 1) + ",\"time\":5,\"data\":{\"id\":\"m"
                + (lines.size() - 1) + "\",\"role\":\"user\",\"source\":{\"kind\":\"user\"},\"content\":[{\"type\":"
                + "\"text\",\"text\":\"" + text + "\"}]},\"surfaceOp\":\"append\"}");
    }

    String text() {
        return String.join("\n", lines) + "\n";
    }

    Path in(Path folder) {
        return in(folder, "log.jsonl");
    }

    Path in(Path folder, String name) {
        return write(folder.resolve(name), text());
    }

    static Path write(Path file, String text) {
        try {
            return Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same events with runs of deltas packed into rows. */
    static Path packed(Path file, String id, List<SessionEvent> events) {
        SessionHeader header =
                SessionHeader.builder().id(SessionId.of(id)).createdAt(1).build();
        try (JsonlWriter writer = JsonlWriter.open(Files.newOutputStream(file), header)) {
            for (SessionEvent event : events) {
                writer.write(event);
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The path as arguments take it. */
    static String[] arguments(String[] before, Path... files) {
        List<String> all = new ArrayList<>(Arrays.asList(before));
        for (Path file : files) {
            all.add(file.toString());
        }
        return all.toArray(String[]::new);
    }
}
