package io.surfacelog.event;

import org.jspecify.annotations.Nullable;

/**
 * An image.
 *
 * @param json the block, with the image under {@code attachment}
 */
public record ImageBlock(JsonObject json) implements ContentBlock {

    static final String TYPE = "image";

    public static ImageBlock of(Json attachment) {
        return new ImageBlock(JsonObject.builder()
                .put("type", TYPE)
                .put("attachment", attachment)
                .build());
    }

    /** The image as its producer recorded it, null if there is no such member. */
    public @Nullable Json attachment() {
        return json.get("attachment");
    }
}
