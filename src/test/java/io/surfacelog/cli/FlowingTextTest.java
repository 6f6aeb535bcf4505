package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FlowingTextTest {

    private static final String[] PARTS = {
        "word",
        " ",
        "  ",
        "\n",
        "\t",
        "日本語",
        "👩‍🚀",
        "é",
        "\u001b[2J",
        "\u009b",
        "\ud800",
        "\udc00",
        "averyveryverylongword",
        "\u202e",
        "\u0000"
    };

    private final FlowingText text = new FlowingText();

    @Test
    void a_line_is_open_until_its_end_comes() {
        assertThat(text.add("Hello\nwor", 80)).containsExactly("Hello");
        assertThat(text.open()).isEqualTo("wor");
        assertThat(text.add("ld", 80)).isEmpty();
        assertThat(text.finish()).containsExactly("world");
        assertThat(text.finish()).isEmpty();
    }

    @Test
    void a_long_line_breaks_between_words_and_a_long_word_anywhere() {
        assertThat(text.add("one two three", 8)).containsExactly("one two");
        assertThat(text.open()).isEqualTo("three");
        assertThat(text.add("fourfive", 8)).containsExactly("threefou");
    }

    @Test
    void half_a_character_waits_for_its_other_half() {
        assertThat(text.add("\ud83d", 80)).isEmpty();
        assertThat(text.open()).isEmpty();
        text.add("\ude80", 80);
        assertThat(text.open()).isEqualTo("🚀");
    }

    @Test
    void half_a_character_that_stays_alone_is_shown_as_such() {
        text.add("\ud83d", 80);
        assertThat(text.finish()).containsExactly("\\ud83d");
    }

    @Test
    void how_a_text_is_cut_into_pieces_does_not_matter_and_no_line_is_too_wide() {
        Seeds.forEach(500, seed -> {
            Random random = new Random(seed);
            StringBuilder all = new StringBuilder();
            for (int i = random.nextInt(40); i >= 0; i--) {
                all.append(PARTS[random.nextInt(PARTS.length)]);
            }
            int columns = 2 + random.nextInt(30);
            List<String> atOnce = lines(List.of(all.toString()), columns);
            List<String> inPieces = lines(pieces(all.toString(), random), columns);

            assertThat(inPieces).isEqualTo(atOnce);
            // what is made visible is longer than it was and may break anywhere, but takes no more than its columns
            assertThat(atOnce).allSatisfy(line -> {
                assertThat(ShownText.width(line)).isLessThanOrEqualTo(columns);
                assertThat(ShownText.visible(line)).isEqualTo(line);
            });
        });
    }

    private static List<String> lines(List<String> pieces, int columns) {
        FlowingText flowing = new FlowingText();
        List<String> lines = new ArrayList<>();
        pieces.forEach(piece -> lines.addAll(flowing.add(piece, columns)));
        lines.addAll(flowing.finish());
        return lines;
    }

    private static List<String> pieces(String text, Random random) {
        List<String> pieces = new ArrayList<>();
        for (int from = 0; from < text.length(); ) {
            int to = Math.min(text.length(), from + 1 + random.nextInt(5));
            pieces.add(text.substring(from, to));
            from = to;
        }
        return pieces;
    }
}
