package io.surfacelog.agent;

import io.surfacelog.projection.SessionQueries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tells the model of files in the working directory of its session, as they are before each step. A file that is not there,
 * or not in the directory, is left out; so is what lies beyond 64 KiB of one, which the text says.
 *
 * <pre>{@code
 * ContextProvider instructions = FileContext.instructions("AGENTS.md");
 * }</pre>
 */
public final class FileContext implements ContextProvider {

    private static final int MAX_BYTES = 64 << 10;

    private final ContextItem.Form form;
    private final List<String> paths;

    private FileContext(ContextItem.Form form, List<String> paths) {
        this.form = form;
        this.paths = List.copyOf(paths);
    }

    /** Files the model should know; the paths are relative to the working directory. */
    public static FileContext of(String... paths) {
        return new FileContext(ContextItem.Form.FILE, List.of(paths));
    }

    /** Files that tell how to work here. */
    public static FileContext instructions(String... paths) {
        return new FileContext(ContextItem.Form.INSTRUCTIONS, List.of(paths));
    }

    @Override
    public List<ContextItem> items(Agent agent, SessionQueries queries) {
        Optional<String> directory = queries.header(agent.id()).cwd();
        List<ContextItem> items = new ArrayList<>();
        if (directory.isPresent()) {
            Path root = Path.of(directory.get());
            for (String path : paths) {
                Path file = root.resolve(path);
                if (Files.isRegularFile(file) && isWithin(root, file)) {
                    items.add(new ContextItem(form, path, path + ":\n\n" + read(file)));
                }
            }
        }
        return items;
    }

    /** Links are followed: what they lead to has to lie there, too. */
    private static boolean isWithin(Path root, Path file) {
        try {
            return file.toRealPath().startsWith(root.toRealPath());
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static String read(Path file) {
        try (var in = Files.newInputStream(file)) {
            byte[] head = in.readNBytes(MAX_BYTES);
            boolean cut = head.length == MAX_BYTES && in.read() >= 0;
            int length = cut ? endOfLastCharacter(head) : head.length;
            String text = new String(head, 0, length, StandardCharsets.UTF_8);
            return cut ? text + "\n\n[the rest of the file is left out: it is larger than 64 KiB]" : text;
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** Where the last character begins, which may go on behind the cut. */
    private static int endOfLastCharacter(byte[] utf8) {
        int end = utf8.length - 1;
        while (end > 0 && (utf8[end] & 0xC0) == 0x80) {
            end--;
        }
        return end;
    }

    private static UncheckedIOException unreadable(Path file, IOException e) {
        return new UncheckedIOException(
                "the context file " + file + " cannot be read; make it readable or leave it out", e);
    }
}
