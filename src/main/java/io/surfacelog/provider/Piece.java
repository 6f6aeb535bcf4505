package io.surfacelog.provider;

/** A part of what a provider is told: text, or an image it takes. */
sealed interface Piece {

    /** Text that is well formed and not blank. */
    record Text(String text) implements Piece {}

    record Image(ImageSource source) implements Piece {}
}
