package io.surfacelog.bench;

import java.util.Arrays;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs the measurements and the benchmarks of this package; the measurements are printed, the results of the benchmarks
 * written as JSON too.
 *
 * <pre>
 * mvn -q -Pbench verify -DskipTests
 * mvn -q -Pbench verify -DskipTests -Dbench=measurements
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
        boolean measurementsOnly = words.length == 1 && words[0].equals("measurements");
        if (words.length == 0 || measurementsOnly) {
            StoreMeasurements.main(words);
            CommitMeasurements.main(words);
            StreamMeasurements.main(words);
            CompactionMeasurements.main(words);
            MeterMeasurements.main(words);
        }
        if (measurementsOnly) {
            return;
        }
        new Runner(new OptionsBuilder()
                        .parent(new CommandLineOptions(words))
                        .resultFormat(ResultFormatType.JSON)
                        .result(args[0])
                        .build())
                .run();
    }
}
