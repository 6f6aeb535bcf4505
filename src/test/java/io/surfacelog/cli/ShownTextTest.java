package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShownTextTest {

    @Test
    void what_a_terminal_would_obey_is_made_visible() {
        assertThat(ShownText.visible("a\nb\tc\u001B[31md\u0007\u007F\u0085")).isEqualTo("a⏎b␉c␛[31md␇␡\\u0085");
    }

    @Test
    void what_turns_the_direction_of_writing_or_cannot_be_shown_is_named() {
        assertThat(ShownText.visible("a\u202Eb\u2028c\uFEFFd\uD83De\u0000"))
                .isEqualTo("a\\u202eb\\u2028c\\ufeffd\\ud83de␀");
    }

    @Test
    void a_text_that_fits_is_left_whole_and_a_longer_one_ends_in_a_mark() {
        assertThat(ShownText.line("parcel", 6)).isEqualTo("parcel");
        assertThat(ShownText.line("parcels", 6)).isEqualTo("parce…");
        assertThat(ShownText.line("", 6)).isEmpty();
        assertThat(ShownText.line("parcel", 0)).isEmpty();
    }

    @Test
    void a_cut_never_splits_a_character_and_counts_wide_ones_as_two() {
        assertThat(ShownText.line("📦📦📦", 5)).isEqualTo("📦📦…");
        assertThat(ShownText.line("📦📦📦", 6)).isEqualTo("📦📦📦");
        assertThat(ShownText.line("小包小包", 6)).isEqualTo("小包…");
        assertThat(ShownText.width("a小")).isEqualTo(3);
    }

    @Test
    void a_cut_never_exceeds_the_columns_whatever_it_cuts() {
        String text = "x\u001B\u202E📦小é\uD800\n";
        for (int columns = 0; columns < 30; columns++) {
            assertThat(ShownText.width(ShownText.line(text.repeat(3), columns))).isLessThanOrEqualTo(columns);
        }
    }
}
