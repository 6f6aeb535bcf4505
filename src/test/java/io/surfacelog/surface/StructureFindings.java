package io.surfacelog.surface;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.testing.LogBuilder;
import java.util.List;

/** Asserts exactly what the structure rules find in a log. */
final class StructureFindings {

    /** A rule and the event that broke it. */
    record At(StructureRule rule, long seq) {}

    private StructureFindings() {}

    static void assertFindings(LogBuilder log) {
        assertFindings(log, List.of());
    }

    static void assertFindings(LogBuilder log, StructureRule rule, long seq) {
        assertFindings(log, List.of(new At(rule, seq)));
    }

    static void assertFindings(LogBuilder log, List<At> expected) {
        assertThat(log.surface().findings().stream()
                        .map(finding -> new At(finding.rule(), finding.seq()))
                        .toList())
                .as("findings %s", log.surface().findings())
                .isEqualTo(expected);
    }
}
