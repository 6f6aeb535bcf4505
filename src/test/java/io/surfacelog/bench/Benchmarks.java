package io.surfacelog.bench;

import java.util.Arrays;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs the benchmarks of this package and writes their results as JSON.
 *
 * <pre>
 * mvn -q -Pbench verify -DskipTests
 * mvn -q -Pbench verify -DskipTests -Dbench="Overhead -f 1 -wi 1"
 * </pre>
 */
final class Benchmarks {

    private Benchmarks() {}

    /** Takes the file for the results, then words of JMH's own command line (each may hold several, split at blanks). */
    public static void main(String[] args) throws Exception {
        String[] words = Arrays.stream(args)
                .skip(1)
                .flatMap(word -> Arrays.stream(word.split(" ")))
                .filter(word -> !word.isBlank())
                .toArray(String[]::new);
        new Runner(new OptionsBuilder()
                        .parent(new CommandLineOptions(words))
                        .resultFormat(ResultFormatType.JSON)
                        .result(args[0])
                        .build())
                .run();
    }
}
