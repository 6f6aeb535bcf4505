package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import io.surfacelog.event.ImageBlock;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.testing.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the heuristic keeps to: it is near what two real vocabularies count, and within two bounds that hold for every
 * byte-level one: a token never spans two of the pieces a text is first split into, and none is shorter than a byte.
 */
class TokenEstimatorTest {

    /** Words with the space before them, up to three digits, punctuation, white space: what byte-level tokenizers split first. */
    private static final Pattern PIECES =
            Pattern.compile("[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s+");

    private static final EncodingRegistry ENCODINGS = Encodings.newLazyEncodingRegistry();

    private final TokenEstimator heuristic = TokenEstimator.heuristic();

    private static String sample(String name) throws IOException {
        try (InputStream in =
                TokenEstimatorTest.class.getResourceAsStream("/io/surfacelog/compaction/" + name + ".txt")) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Two vocabularies in wide use, of which the second has more of the scripts beyond Latin. */
    @ParameterizedTest
    @CsvSource({
        "english",
        "code",
        "java",
        "json",
        "log",
        "german",
        "russian",
        "chinese",
        "japanese",
        "korean",
        "hex",
        "emoji"
    })
    void a_sample_is_within_40_percent_of_what_real_vocabularies_make_of_it(String name) throws IOException {
        String text = sample(name);
        for (EncodingType vocabulary : List.of(EncodingType.CL100K_BASE, EncodingType.O200K_BASE)) {
            double real = ENCODINGS.getEncoding(vocabulary).countTokens(text);
            assertThat(heuristic.tokens(text) / real)
                    .as("%s, %s", name, vocabulary)
                    .isBetween(0.7, 1.4);
        }
    }

    @ParameterizedTest
    @CsvSource({"english", "code", "java", "json", "log"})
    void english_code_and_data_are_within_20_percent(String name) throws IOException {
        String text = sample(name);
        double real = ENCODINGS.getEncoding(EncodingType.O200K_BASE).countTokens(text);
        assertThat(heuristic.tokens(text) / real).isBetween(0.8, 1.2);
    }

    @ParameterizedTest
    @CsvSource({"english", "code", "json", "german", "russian", "chinese", "japanese", "korean", "hex", "emoji"})
    void a_sample_costs_at_most_its_bytes_and_at_least_most_of_its_pieces(String name) throws IOException {
        String text = sample(name);
        long pieces = PIECES.matcher(text).results().count();

        assertThat(heuristic.tokens(text)).isLessThanOrEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
        assertThat(heuristic.tokens(text)).isGreaterThanOrEqualTo(pieces * 8 / 10);
    }

    @Test
    void an_empty_text_is_free_and_an_image_always_costs_the_same() {
        assertThat(heuristic.tokens("")).isZero();
        long small = heuristic.tokens(ImageBlock.of(JsonString.of("a")));
        assertThat(heuristic.tokens(ImageBlock.of(JsonString.of("a".repeat(1 << 20)))))
                .isEqualTo(small);
    }

    @Test
    void the_content_of_a_result_is_priced_by_its_kinds() {
        String text = "All shelves are filled.";
        long image = heuristic.tokens(ImageBlock.of(JsonString.of("a")));
        ToolResultBlock result =
                ToolResultBlock.of("call-1", List.of(TextBlock.of(text), ImageBlock.of(JsonString.of("a"))), false);
        ToolResultBlock empty = ToolResultBlock.of("call-1", List.of(), false);

        assertThat(heuristic.tokens(result)).isEqualTo(heuristic.tokens(empty) + heuristic.tokens(text) + image);
        assertThat(heuristic.tokens(ToolCallBlock.of("call-1", "shelf", "{\"row\":12}")))
                .isGreaterThan(heuristic.tokens("shelf") + heuristic.tokens("{\"row\":12}"));
    }

    @Test
    void more_text_never_costs_less_and_a_cut_never_more_than_a_token() {
        Seeds.forEach(400, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            String a = text(random);
            String b = text(random);
            long whole = heuristic.tokens(a + " " + b);
            assertThat(whole).isGreaterThanOrEqualTo(heuristic.tokens(a));
            assertThat(whole).isGreaterThanOrEqualTo(heuristic.tokens(b));
            assertThat(heuristic.tokens(a) + heuristic.tokens(" " + b)).isBetween(whole, whole + 1);
            assertThat(heuristic.tokens(a)).isLessThanOrEqualTo(a.codePointCount(0, a.length()) * 5L / 2 + 1);
            long bytes = a.codePoints().map(TokenEstimatorTest::bytes).sum();
            assertThat(heuristic.tokens(a)).isLessThanOrEqualTo(bytes);
        });
    }

    private static int bytes(int point) {
        return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    }

    /** Any code points, lone surrogates and unassigned ones among them. */
    private static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(60); i > 0; i--) {
            int bound = random.nextInt(3) == 0 ? 0x110000 : random.nextInt(2) == 0 ? 0x80 : 0x10000;
            text.appendCodePoint(random.nextInt(bound));
        }
        return text.toString();
    }
}
