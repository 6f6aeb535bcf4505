package io.surfacelog.cli;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The log files under a folder, in the order of their names: those that end in {@code .jsonl}, {@code .zstd} or {@code
 * .jsonl.zst}. Links within it are not followed, so that it has an end and no file is met twice.
 */
final class LogTree {

    private final List<Path> logs = new ArrayList<>();
    private final Map<Path, IOException> unreadable = new TreeMap<>();
    private long others;
    private long links;

    private LogTree() {}

    static LogTree of(Path folder) {
        LogTree tree = new LogTree();
        Deque<Path> open = new ArrayDeque<>(List.of(folder));
        while (!open.isEmpty()) {
            Path next = open.pop();
            try {
                List<Path> below = tree.look(next);
                for (int i = below.size() - 1; i >= 0; i--) {
                    open.push(below.get(i));
                }
            } catch (DirectoryIteratorException e) {
                tree.unreadable.put(next, e.getCause());
            } catch (IOException e) {
                tree.unreadable.put(next, e);
            }
        }
        return tree;
    }

    /** Sorts the entries of a folder; returns the folders among them. */
    private List<Path> look(Path folder) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder)) {
            found.forEach(entries::add);
        }
        entries.sort(null);
        List<Path> folders = new ArrayList<>();
        for (Path entry : entries) {
            try {
                BasicFileAttributes is =
                        Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (is.isDirectory()) {
                    folders.add(entry);
                } else if (is.isSymbolicLink()) {
                    links++;
                } else if (is.isRegularFile() && isLog(entry)) {
                    logs.add(entry);
                } else {
                    others++;
                }
            } catch (IOException e) {
                unreadable.put(entry, e);
            }
        }
        return folders;
    }

    private static boolean isLog(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return name.endsWith(".jsonl") || name.endsWith(".zstd") || name.endsWith(".jsonl.zst");
    }

    List<Path> logs() {
        return logs;
    }

    /** What could not be looked into. */
    Map<Path, IOException> unreadable() {
        return unreadable;
    }

    /** How many files are no logs by their names. */
    long others() {
        return others;
    }

    long links() {
        return links;
    }
}
