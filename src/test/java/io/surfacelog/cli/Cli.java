package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.transfer.LogEvents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The command line on a database of its own. */
record Cli(Path database) {

    static Cli in(Path folder) {
        return new Cli(folder.resolve("store").resolve("log.db"));
    }

    CommandRun run(Object... args) {
        List<String> all = new ArrayList<>(List.of("--db", database.toString()));
        Arrays.stream(args).map(String::valueOf).forEach(all::add);
        return CommandRun.of(all.toArray(String[]::new));
    }

    /** A run that has to be a success. */
    CommandRun done(Object... args) {
        CommandRun run = run(args);
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        return run;
    }

    /** A run that has to fail, saying why in one sentence and printing nothing else. */
    CommandRun failed(Object... args) {
        CommandRun run = run(args);
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(1);
        assertThat(run.err()).endsWith(".\n").doesNotContain("\tat ", "Exception");
        assertThat(run.err().strip().lines()).hasSize(1);
        assertThat(run.out()).isEmpty();
        return run;
    }

    /** Every file at and beside the database, with its bytes. */
    Map<String, String> files() {
        Path folder = database.getParent();
        if (Files.notExists(folder)) {
            return Map.of();
        }
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> found = Files.list(folder)) {
            for (Path file : found.toList()) {
                files.put(
                        file.getFileName().toString(),
                        Files.isDirectory(file) ? "directory" : HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    /** What a log file holds. */
    record Read(SessionHeader header, List<EventCandidate> events) {}

    /** A log file as an import reads it. */
    static Read read(Path file) {
        try (LogEvents log =
                LogEvents.open(file, LogEvents.Reading.of(file, EventLimits.defaults(), false), bytes -> {})) {
            List<EventCandidate> events = new ArrayList<>();
            log.forEachRemaining(events::add);
            return new Read(log.header(), events);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
