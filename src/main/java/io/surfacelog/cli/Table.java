package io.surfacelog.cli;

import java.util.Arrays;
import java.util.List;

/**
 * Lines of cells that stand below each other. Columns have a fixed width, so that a line can be printed before the next one
 * is known; the last one takes what is left.
 *
 * <pre>{@code
 * Table table = new Table(100, Ink.isWanted(), Table.right("seq", 5), Table.left("type", 18), Table.rest("text"));
 * console.line(table.head());
 * console.line(table.row(Ink.PLAIN, "57", "tool/result", "3 parcels"));
 * }</pre>
 */
final class Table {

    /** As wide as a table may be, unless a terminal is known to be wider. */
    static final int WIDTH = 100;

    private static final String GAP = "  ";

    /**
     * One column.
     *
     * @param name its heading
     * @param width in columns of the terminal; 0 for what is left
     * @param right whether cells stand at its right edge
     */
    record Column(String name, int width, boolean right) {}

    private final List<Column> columns;
    private final boolean colour;

    Table(int width, boolean colour, Column... columns) {
        this.colour = colour;
        int fixed = 0;
        for (Column column : columns) {
            fixed += column.width();
        }
        int left = width - fixed - GAP.length() * (columns.length - 1);
        this.columns = Arrays.stream(columns)
                .map(column ->
                        column.width() == 0 ? new Column(column.name(), Math.max(left, 10), column.right()) : column)
                .toList();
    }

    static Column left(String name, int width) {
        return new Column(name, width, false);
    }

    static Column right(String name, int width) {
        return new Column(name, width, true);
    }

    /** The column that takes what is left. */
    static Column rest(String name) {
        return new Column(name, 0, false);
    }

    /** Width of the column that takes what is left, or of another one. */
    int width(int column) {
        return columns.get(column).width();
    }

    /** The headings. */
    String head() {
        return row(Ink.FAINT, columns.stream().map(Column::name).toArray(String[]::new));
    }

    /** One line. Cells are cut and made visible here; there may be fewer than columns. */
    String row(Ink ink, String... cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            Column column = columns.get(i);
            String cell = ShownText.line(cells[i], column.width());
            line.append(i == 0 ? "" : GAP).append(ShownText.padded(cell, column.width(), column.right()));
        }
        return ink.on(line.toString().stripTrailing(), colour);
    }
}
