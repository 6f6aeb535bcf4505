package io.surfacelog.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The recorded files, as far as reading goes. Where the recorded implementation silently drops complete lines we refuse,
 * and what stands before is what it kept. Closers, and types that are not declared, are for others to test.
 */
class ScanVectorsTest {

    @ParameterizedTest
    @MethodSource("readable")
    void a_readable_file_gives_the_recorded_events_up_to_the_recorded_byte(Vector vector) throws IOException {
        ReadLog log = ReadLog.of(vector.file());

        assertThat(log.events()).hasSize((int) vector.number("prefix"));
        assertThat(log.goodBytes()).isEqualTo(vector.number("keptBytes"));
        if (vector.dropsCompleteLines()) {
            assertThat(log.verdict()).isEqualTo(vector.ruleOfDropped() + "@" + vector.firstLineAfter(log.goodBytes()));
        } else {
            assertThat(log.verdict()).isEqualTo("ok");
            assertThat(log.tornBytes()).isEqualTo(vector.number("tornBytes"));
        }
    }

    @ParameterizedTest
    @MethodSource("badHeaders")
    void a_bad_header_is_refused_by_its_own_rule_at_line_1(Vector vector) {
        assertThatExceptionOfType(AdmissionException.class)
                .isThrownBy(() -> {
                    try (JsonlReader reader =
                            JsonlReader.open(new ByteArrayInputStream(vector.file()), EventLimits.defaults())) {
                        reader.requireId(SessionId.of("z"));
                    }
                })
                .satisfies(refusal -> assertThat(refusal.rule().code()).isEqualTo(vector.ruleOfHeader()))
                .satisfies(refusal -> assertThat(refusal.line()).hasValue(1))
                .satisfies(refusal -> assertThat(refusal.at()).isEmpty());
    }

    @ParameterizedTest
    @MethodSource("damaged")
    void damage_inside_is_refused_with_the_line(Vector vector) throws IOException {
        ReadLog log = ReadLog.of(vector.file());

        String rule = vector.rule().equals("scan.seq-gap") ? "seq.contiguous" : "json.syntax";
        assertThat(log.verdict()).isEqualTo(rule + "@" + vector.firstLineAfter(log.goodBytes()));
        assertThat(log.fault().orElseThrow().at().isPresent()).isEqualTo(rule.equals("seq.contiguous"));
    }

    @ParameterizedTest
    @MethodSource("undeclared")
    void a_type_that_is_not_declared_is_read_for_admission_to_refuse(Vector vector) throws IOException {
        assertThat(ReadLog.of(vector.file()).verdict()).isEqualTo("ok");
    }

    @ParameterizedTest
    @MethodSource("withoutDepth")
    void a_header_without_a_depth_has_depth_0_for_us(Vector vector) throws IOException {
        ReadLog log = ReadLog.of(vector.file());

        assertThat(log.verdict()).isEqualTo("ok");
        assertThat(log.header().delegationDepth()).isZero();
    }

    static Stream<Vector> readable() throws IOException {
        return vectors().filter(Vector::isReadable);
    }

    static Stream<Vector> badHeaders() throws IOException {
        return vectors()
                .filter(vector -> vector.mutation().startsWith("header-")
                        || vector.mutation().equals("empty-file")
                        || vector.mutation().equals("only-newline")
                        || vector.mutation().equals("retired-header-field"))
                .filter(vector -> !vector.isReadable() && !vector.mutation().equals("header-no-depth"));
    }

    static Stream<Vector> damaged() throws IOException {
        return vectors()
                .filter(vector ->
                        vector.rule().equals("scan.seq-gap") || vector.rule().equals("scan.unparsable"));
    }

    static Stream<Vector> undeclared() throws IOException {
        return vectors().filter(vector -> vector.rule().equals("load.unknown-type"));
    }

    static Stream<Vector> withoutDepth() throws IOException {
        return vectors().filter(vector -> vector.mutation().equals("header-no-depth"));
    }

    @Test
    void every_vector_is_in_one_of_these_tests() throws IOException {
        long all = vectors().count();
        assertThat(readable().count()
                        + badHeaders().count()
                        + damaged().count()
                        + undeclared().count()
                        + withoutDepth().count())
                .isEqualTo(all)
                .isEqualTo(360);
    }

    private static Stream<Vector> vectors() throws IOException {
        try (InputStream in = new GZIPInputStream(
                Objects.requireNonNull(ScanVectorsTest.class.getResourceAsStream("/conformance/scan.ndjson.gz")))) {
            String all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Stream.of(all.strip().split("\n", -1)).map(line -> new Vector((JsonObject) Json.parse(line)));
        }
    }

    record Vector(JsonObject json) {

        byte[] file() {
            return json.string("text").orElseThrow().getBytes(StandardCharsets.UTF_8);
        }

        boolean isReadable() {
            return json.isTrue("ok");
        }

        String mutation() {
            return json.string("mut").orElseThrow();
        }

        String rule() {
            return json.string("rule").orElse("");
        }

        long number(String name) {
            return json.longValue(name).orElseThrow();
        }

        /** Whether the recorded implementation leaves out more than a final line without its end. */
        boolean dropsCompleteLines() {
            byte[] file = file();
            long kept = number("keptBytes");
            for (long i = kept; i < file.length; i++) {
                if (file[(int) i] == '\n') {
                    return true;
                }
            }
            return false;
        }

        long firstLineAfter(long bytes) {
            byte[] file = file();
            long line = 1;
            for (int i = 0; i < bytes; i++) {
                line += file[i] == '\n' ? 1 : 0;
            }
            return line;
        }

        String ruleOfDropped() {
            return switch (mutation()) {
                case "garbage-tail-line", "garbage-line-then-nothing-closing" -> "json.syntax";
                case "row-arity-broken-in-open-tail" -> "row.dt-length";
                default -> "seq.contiguous";
            };
        }

        String ruleOfHeader() {
            return switch (mutation()) {
                case "header-version-1", "header-version-9-otherwise-foreign" -> "head.version";
                case "header-depth-negative" -> "head.depth";
                case "header-created-fraction" -> "head.created-at";
                case "header-other-id" -> "head.id";
                case "header-bad-json", "only-newline" -> "json.syntax";
                case "retired-header-field" -> "head.retired";
                case "header-tag-wrong", "header-missing", "header-torn", "empty-file" -> "head.record";
                default -> throw new IllegalStateException("no rule is known for " + mutation());
            };
        }

        @Override
        public String toString() {
            return json.string("id").orElseThrow() + " " + mutation();
        }
    }
}
