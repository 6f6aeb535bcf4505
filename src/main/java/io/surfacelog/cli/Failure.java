package io.surfacelog.cli;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Says in one sentence what went wrong. */
final class Failure {

    private Failure() {}

    static String sentence(Throwable e) {
        if (e instanceof NoSuchFileException missing) {
            return "There is no file " + missing.getFile() + ".";
        }
        if (e instanceof AccessDeniedException denied) {
            return "The file " + denied.getFile() + " may not be read.";
        }
        if (e instanceof FileSystemException failed && failed.getReason() != null) {
            return "The file " + failed.getFile() + " cannot be read: " + failed.getReason() + ".";
        }
        String message = e.getMessage();
        if (message == null || message.isBlank()) {
            return "Failed: " + e.getClass().getSimpleName() + ".";
        }
        String line = message.lines()
                .map(String::trim)
                .filter(text -> !text.isEmpty())
                .reduce((a, b) -> a + " " + b)
                .orElse(message);
        return line.endsWith(".") ? line : line + ".";
    }
}
