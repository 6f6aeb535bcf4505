package io.surfacelog.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.springframework.util.FileSystemUtils;

/** What measurements outside of JMH have in common: a directory that is gone afterwards, and a line for each finding. */
final class Measurement {

    /** What is measured, with room for its files. */
    interface Work {
        void in(Path directory) throws Exception;
    }

    private Measurement() {}

    static void run(Work work) throws Exception {
        Path directory = Files.createTempDirectory("surfacelog-measurement");
        try {
            work.in(directory);
        } finally {
            FileSystemUtils.deleteRecursively(directory);
        }
    }

    /** Prints one finding; standard output is what these programs are for. */
    static void say(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
