package io.surfacelog.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Says in one sentence what went wrong. */
final class Failure {

    private Failure() {}

    static String sentence(Throwable e) {
        String message = e.getMessage();
        if (message == null || message.isBlank()) {
            return "Failed: " + e.getClass().getSimpleName() + ".";
        }
        String line = message.strip().replaceAll("\\s*\\R\\s*", " ");
        return line.endsWith(".") ? line : line + ".";
    }

    /** The same of a file, named as its user named it. */
    static String sentence(String file, IOException e) {
        if (e instanceof NoSuchFileException) {
            return "There is no file " + file + ".";
        }
        if (e instanceof AccessDeniedException) {
            return "The file " + file + " may not be read.";
        }
        String reason = e instanceof FileSystemException failed ? failed.getReason() : e.getMessage();
        return "The file " + file + " cannot be read" + (reason == null ? "." : ": " + reason + ".");
    }
}
