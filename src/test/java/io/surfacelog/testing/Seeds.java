package io.surfacelog.testing;

import java.util.function.LongConsumer;

/**
 * Runs a law for many seeds and names the seed that broke it.
 *
 * <pre>{@code
 * Seeds.forEach(300, seed -> assertThat(fold(SessionGenerator.wild(seed).log())).isEqualTo(…));
 * }</pre>
 *
 * <p>{@code -Dsurfacelog.seed=17} runs one seed alone; {@code -Dsurfacelog.seeds=20000} runs that many.
 */
public final class Seeds {

    private static final String ONE = "surfacelog.seed";
    private static final String MANY = "surfacelog.seeds";

    private Seeds() {}

    /** Runs the law for the seeds from 0 below the count, unless the properties say otherwise. */
    public static void forEach(int count, LongConsumer law) {
        Long one = Long.getLong(ONE);
        if (one != null) {
            run(one, law);
            return;
        }
        int many = Integer.getInteger(MANY, count);
        for (long seed = 0; seed < many; seed++) {
            run(seed, law);
        }
    }

    private static void run(long seed, LongConsumer law) {
        try {
            law.accept(seed);
        } catch (RuntimeException | AssertionError | StackOverflowError e) {
            throw new AssertionError("seed " + seed + " (again with -D" + ONE + "=" + seed + "): " + e, e);
        }
    }
}
