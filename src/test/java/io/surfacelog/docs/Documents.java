package io.surfacelog.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** README and docs, and what stands in them. */
final class Documents {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");

    /**
     * A block of code.
     *
     * @param file the document it stands in
     * @param line where it begins
     * @param code the code
     */
    record Block(Path file, long line, String code) {

        @Override
        public String toString() {
            return file + ":" + line;
        }
    }

    private Documents() {}

    static Path readme() {
        return Path.of("README.md");
    }

    static List<Path> all() {
        try (Stream<Path> docs = Files.walk(Path.of("docs"))) {
            List<Path> all = new ArrayList<>(List.of(readme()));
            docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(all::add);
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Block> blocks(Path file, String language) {
        String text = read(file);
        Matcher matcher = BLOCK.matcher(text);
        List<Block> blocks = new ArrayList<>();
        while (matcher.find()) {
            if (matcher.group(1).equals(language)) {
                long line = text.substring(0, matcher.start()).lines().count() + 1;
                blocks.add(new Block(file, line, matcher.group(2)));
            }
        }
        return blocks;
    }

    /** The first cells of the table rows that are code and match. */
    static List<String> codesInTables(Path file, String regex) {
        Pattern row = Pattern.compile("(?m)^\\| `(" + regex + ")` \\|");
        return row.matcher(read(file)).results().map(result -> result.group(1)).toList();
    }
}
