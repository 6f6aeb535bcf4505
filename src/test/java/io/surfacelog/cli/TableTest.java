package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {

    private final Table table = new Table(30, false, Table.right("seq", 4), Table.left("type", 6), Table.rest("text"));

    @Test
    void cells_stand_below_their_headings_and_the_last_takes_what_is_left() {
        assertThat(table.head()).isEqualTo(" seq  type    text");
        assertThat(table.row(Ink.PLAIN, "7", "tool", "three parcels are there"))
                .isEqualTo("   7  tool    three parcels a…")
                .hasSize(30);
    }

    @Test
    void a_cell_that_is_too_long_does_not_push_the_others() {
        assertThat(table.row(Ink.PLAIN, "123456", "assistant", "x")).isEqualTo("123…  assis…  x");
    }

    @Test
    void colour_surrounds_a_line_only_where_it_is_wanted() {
        Table coloured = new Table(30, true, Table.rest("text"));

        assertThat(coloured.row(Ink.FAINT, "x")).isEqualTo("\u001B[2mx\u001B[0m");
        assertThat(coloured.row(Ink.PLAIN, "x")).isEqualTo("x");
    }
}
