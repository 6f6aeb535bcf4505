package io.surfacelog.cli;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.SessionId;
import io.surfacelog.transfer.JsonlReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Takes all log files under folders into the store. Where it is not plain which file is a session's log, none is imported
 * and all are named: a file beside others of the same session, a session met twice, and one that is stored under the name
 * of another. A file {@code session.jsonl}, or {@code session.} and more, belongs to the session that its folder is named
 * after.
 */
final class TreeImport {

    private static final int NAMED = 3;

    private final Console console;
    private final FileImport files;
    private final EventLimits limits;
    private final List<LogTree> trees;

    /** Why a file is not imported. */
    private final Map<Path, String> refused = new LinkedHashMap<>();

    TreeImport(Console console, FileImport files, EventLimits limits, List<LogTree> trees) {
        this.console = console;
        this.files = files;
        this.limits = limits;
        this.trees = trees;
    }

    /** Imports what can be, prints a verdict for each file and then what it came to; returns whether none was refused. */
    boolean run() {
        List<Path> logs =
                trees.stream().flatMap(tree -> tree.logs().stream()).distinct().toList();
        refuseSideBySide(logs);
        refuseUnclear(logs);
        long imported = 0;
        for (Path log : logs) {
            String reason = refused.get(log);
            if (reason != null) {
                console.say(log + ": " + reason + "; nothing of it was imported.");
            } else if (files.found(log)) {
                imported++;
            }
        }
        long unreadable = 0;
        for (LogTree tree : trees) {
            tree.unreadable().forEach((path, e) -> console.say(Failure.sentence(path.toString(), e)));
            unreadable += tree.unreadable().size();
        }
        summary(logs.size(), imported, unreadable);
        return imported == logs.size() && unreadable == 0;
    }

    private void summary(long logs, long imported, long unreadable) {
        long others = trees.stream().mapToLong(LogTree::others).sum();
        long links = trees.stream().mapToLong(LogTree::links).sum();
        console.line("imported " + imported + " of " + Preview.count(logs, "log file") + ", refused "
                + (logs - imported)
                + (unreadable == 0 ? "" : ", could not read " + Preview.count(unreadable, "folder or file"))
                + (others == 0 ? "" : ", passed over " + Preview.count(others, "other file"))
                + (links == 0 ? "" : ", did not follow " + Preview.count(links, "link")));
    }

    private void refuseSideBySide(List<Path> logs) {
        Map<Path, List<Path>> folders = logs.stream()
                .filter(TreeImport::isOfItsFolder)
                .collect(Collectors.groupingBy(TreeImport::folder, LinkedHashMap::new, Collectors.toList()));
        folders.forEach((folder, group) -> {
            if (group.size() > 1) {
                group.forEach(log -> refused.put(
                        log,
                        version(log) + "one of several files of one session side by side, with " + others(group, log)
                                + ": which of them is its log is not plain"));
            }
        });
    }

    /** What an unreadable version has to say of itself, since it may be the one that counts. */
    private String version(Path log) {
        return header(log)
                .refusal()
                .filter(e -> e.line().isPresent())
                .map(e -> "refused by " + e.rule().code() + ", " + e.detail() + ", and ")
                .orElse("");
    }

    private void refuseUnclear(List<Path> logs) {
        Map<SessionId, List<Path>> sessions = new LinkedHashMap<>();
        for (Path log : logs) {
            if (refused.containsKey(log)) {
                continue;
            }
            header(log).id().ifPresent(id -> {
                sessions.computeIfAbsent(id, key -> new ArrayList<>(1)).add(log);
                String stored = String.valueOf(folder(log).getFileName());
                if (isOfItsFolder(log) && !stored.equals(id.value())) {
                    refused.put(
                            log,
                            "the log of session " + SessionIdArgument.typed(id) + ", but stored in " + folder(log)
                                    + ", which is named as if it were session " + stored);
                }
            });
        }
        sessions.forEach((id, group) -> {
            if (group.size() > 1) {
                group.forEach(log -> refused.merge(
                        log,
                        "session " + SessionIdArgument.typed(id) + " is there twice, also in " + others(group, log),
                        (one, two) -> one + ", and " + two));
            }
        });
    }

    private static String others(List<Path> group, Path log) {
        String named = group.stream()
                .filter(other -> !other.equals(log))
                .limit(NAMED)
                .map(Path::toString)
                .collect(Collectors.joining(", "));
        return group.size() - 1 > NAMED ? named + " and " + (group.size() - 1 - NAMED) + " more" : named;
    }

    private static boolean isOfItsFolder(Path log) {
        return String.valueOf(log.getFileName()).startsWith("session.");
    }

    private static Path folder(Path log) {
        return Objects.requireNonNull(log.toAbsolutePath().normalize().getParent());
    }

    /** Whose log it is, or why its header was refused; neither if it cannot be read, which its import will tell. */
    private record Peek(Optional<AdmissionException> refusal, Optional<SessionId> id) {}

    private Peek header(Path log) {
        try (JsonlReader reader = JsonlReader.open(log, limits)) {
            return new Peek(Optional.empty(), Optional.of(reader.header().id()));
        } catch (AdmissionException e) {
            return new Peek(Optional.of(e), Optional.empty());
        } catch (IOException isToldByTheImport) {
            return new Peek(Optional.empty(), Optional.empty());
        }
    }
}
