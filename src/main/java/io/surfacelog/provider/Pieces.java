package io.surfacelog.provider;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.ImageBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.TextBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Turns the content of user messages and results into what can be sent: text, and images where they are taken. */
final class Pieces {

    private final Adjustments adjustments;
    private final Predicate<ImageSource> taken;

    /** Where these images are taken and all others become a note. */
    Pieces(Adjustments adjustments, Predicate<ImageSource> taken) {
        this.adjustments = adjustments;
        this.taken = taken;
    }

    /** The same without any image. */
    Pieces withoutImages() {
        return new Pieces(adjustments, image -> false);
    }

    /** What the content of this message comes to; blank text is nothing. */
    List<Piece> of(int message, List<Json> content) {
        List<Piece> pieces = new ArrayList<>(content.size());
        for (Json item : content) {
            Piece piece = piece(message, item);
            if (!(piece instanceof Piece.Text text) || !Blank.is(text.text())) {
                pieces.add(piece);
            }
        }
        return pieces;
    }

    /** The texts, a blank line between two. */
    static String text(List<Piece> pieces) {
        return pieces.stream()
                .filter(Piece.Text.class::isInstance)
                .map(piece -> ((Piece.Text) piece).text())
                .collect(Collectors.joining("\n\n"));
    }

    private Piece piece(int message, Json item) {
        if (!(item instanceof JsonObject json)) {
            return asText(message, "an item that is no block", item);
        }
        ContentBlock block = ContentBlock.of(json);
        if (block instanceof TextBlock text) {
            return new Piece.Text(adjustments.wellFormed(message, text.text()));
        }
        if (block instanceof ImageBlock image) {
            return image(message, image);
        }
        return asText(
                message,
                "a block of type " + Adjustments.quoted(json.string("type").orElse("")),
                json);
    }

    private Piece image(int message, ImageBlock image) {
        ImageSource source = ImageSource.of(image.attachment()).filter(taken).orElse(null);
        if (source != null) {
            return new Piece.Image(source);
        }
        adjustments.add(
                AdjustmentRule.IMAGE_AS_TEXT,
                message,
                "found an image that cannot be sent here; the request says so in its place");
        return new Piece.Text("[An image stood here; it is not part of this request.]");
    }

    /** Nothing that a person or a tool said is lost: what is not known is told as it was recorded. */
    private Piece asText(int message, String what, Json item) {
        adjustments.add(AdjustmentRule.BLOCK_AS_TEXT, message, "found " + what + "; the request holds it as text");
        String text = item instanceof JsonString string
                ? string.value()
                : item instanceof JsonObject block && block.string("text").isPresent()
                        ? block.string("text").get()
                        : WellFormed.json(item).toText();
        return new Piece.Text(adjustments.wellFormed(message, text));
    }
}
