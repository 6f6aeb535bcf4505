package io.surfacelog.cli;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One run of the command line in this process: its exit code and what it printed. */
record CommandRun(int exitCode, String out, String err) {

    static CommandRun of(String... args) {
        return withInput("", args);
    }

    static CommandRun withInput(String input, String... args) {
        return withInput(input.getBytes(StandardCharsets.UTF_8), args);
    }

    static CommandRun withInput(byte[] input, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console =
                new Console(new ByteArrayInputStream(input), new PrintStream(out, true), new PrintStream(err, true));
        int exitCode = Surfacelog.commandLine(console).execute(args);
        return new CommandRun(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** One answer per line. */
    List<JsonObject> answers() {
        return out.isEmpty()
                ? List.of()
                : List.of(out.split("\n", 0)).stream()
                        .map(line -> (JsonObject) Json.parse(line))
                        .toList();
    }

    /** The answer of a run that gives one. */
    JsonObject answer() {
        List<JsonObject> answers = answers();
        if (answers.size() != 1) {
            throw new AssertionError("expected one answer, found " + out + err);
        }
        return answers.get(0);
    }
}
