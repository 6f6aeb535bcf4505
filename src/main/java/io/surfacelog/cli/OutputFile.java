package io.surfacelog.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** A file that is there as a whole or not at all: it is written beside its place and then moved into it. */
final class OutputFile {

    /** Writes the content; may close the stream. */
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private OutputFile() {}

    /**
     * Writes the file.
     *
     * @param name the file as its user named it
     * @param force whether a file that is there is replaced
     * @throws IOException with a sentence, if it cannot be written; what was there is as it was
     */
    static void write(String name, boolean force, Content content) throws IOException {
        try {
            write(Arguments.file(name), force, content);
        } catch (InvalidPathException e) {
            throw new IOException("There is no file of such a name: " + e.getReason(), e);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("The file " + name + " is there already; --force replaces it", e);
        } catch (NoSuchFileException e) {
            throw new IOException("The file " + name + " cannot be written: its directory is not there", e);
        } catch (AccessDeniedException e) {
            throw new IOException("The file " + name + " may not be written", e);
        } catch (IOException e) {
            String reason = e instanceof FileSystemException failed ? failed.getReason() : e.getMessage();
            throw new IOException("The file " + name + " cannot be written" + (reason == null ? "" : ": " + reason), e);
        }
    }

    private static void write(Path file, boolean force, Content content) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("it is a directory");
        }
        boolean exists = Files.exists(file);
        if (exists && !Files.isRegularFile(file)) {
            // a pipe or a device is written to, never replaced
            try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
                content.writeTo(out);
            }
            return;
        }
        if (exists && !force) {
            throw new FileAlreadyExistsException(file.toString());
        }
        // the file that a link leads to is replaced, not the link
        Path target = exists ? file.toRealPath() : file.toAbsolutePath();
        Path part = target.resolveSibling(".surfacelog-" + UUID.randomUUID() + ".part");
        try {
            try (FileChannel channel =
                    FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                content.writeTo(new Kept(channel));
                channel.force(true);
            }
            if (force) {
                Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.move(part, target);
            }
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** A stream whose closing leaves the channel open, so that it can still be synchronised. */
    private static final class Kept extends FilterOutputStream {

        Kept(FileChannel channel) {
            super(Channels.newOutputStream(channel));
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
