package io.surfacelog.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file named on the command line, which can be read more than once even if it is a pipe. */
final class InputFile implements AutoCloseable {

    private final Path path;
    private final boolean copied;

    private InputFile(Path path, boolean copied) {
        this.path = path;
        this.copied = copied;
    }

    /**
     * The file of this name.
     *
     * @throws InvalidPathException if no file can have that name
     * @throws IOException if there is none or it is a directory
     */
    static InputFile of(String name) throws IOException {
        return of(name, Arguments.file(name));
    }

    /** The file at this path, which may have gone since it was found. */
    static InputFile at(Path path) throws IOException {
        return of(path.toString(), path);
    }

    private static InputFile of(String name, Path path) throws IOException {
        if (Files.isDirectory(path)) {
            throw new IOException("it is a directory");
        }
        if (Files.isRegularFile(path)) {
            return new InputFile(path, false);
        }
        if (Files.notExists(path)) {
            throw new NoSuchFileException(name);
        }
        // a pipe can be read only once
        Path copy = Files.createTempFile("surfacelog-", ".jsonl");
        try (InputStream in = Files.newInputStream(path)) {
            Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
            return new InputFile(copy, true);
        } catch (IOException | RuntimeException e) {
            Files.delete(copy);
            throw e;
        }
    }

    Path path() {
        return path;
    }

    long size() throws IOException {
        return Files.size(path);
    }

    @Override
    public void close() throws IOException {
        if (copied) {
            Files.delete(path);
        }
    }
}
