package io.surfacelog.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** README and docs, and what stands in them. */
final class Documents {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)(?: ([^\\n]*))?\\n(.*?)^```$");

    /**
     * A block of code.
     *
     * @param file the document it stands in
     * @param line where it begins
     * @param before the last line of text before it
     * @param language the first word behind its fence
     * @param mark the words after that
     * @param code the code
     */
    record Block(Path file, long line, String before, String language, String mark, String code) {

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
        return blocks(file).stream()
                .filter(block -> block.language().equals(language))
                .toList();
    }

    static List<Block> blocks(Path file) {
        String text = read(file);
        Matcher matcher = BLOCK.matcher(text);
        List<Block> blocks = new ArrayList<>();
        while (matcher.find()) {
            List<String> before = text.substring(0, matcher.start()).lines().toList();
            blocks.add(new Block(
                    file,
                    before.size() + 1L,
                    before.stream().filter(line -> !line.isBlank()).reduce("", (former, latter) -> latter),
                    matcher.group(1),
                    Objects.toString(matcher.group(2), ""),
                    matcher.group(3)));
        }
        return blocks;
    }

    /** The first cells of the table rows that are code and match. */
    static List<String> codesInTables(Path file, String regex) {
        Pattern row = Pattern.compile("(?m)^\\| `(" + regex + ")` \\|");
        return row.matcher(read(file)).results().map(result -> result.group(1)).toList();
    }
}
