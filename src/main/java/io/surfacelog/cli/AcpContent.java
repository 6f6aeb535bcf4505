package io.surfacelog.cli;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.ImageBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.UserMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Content blocks of the protocol as those of messages, and back. */
final class AcpContent {

    private AcpContent() {}

    /**
     * What a client sends with a prompt, as a message of its user. What it links to or embeds becomes text, since that is
     * what a model reads.
     *
     * @throws AcpException if there is nothing in it, or something that was not offered
     */
    static UserMessage prompt(AcpMessage request) {
        Json given = request.params().get("prompt");
        if (!(given instanceof JsonArray prompt) || prompt.size() == 0) {
            throw AcpException.invalidParams(
                    "session/prompt: expected an array prompt of at least one block, found " + AcpMessage.found(given));
        }
        List<ContentBlock> blocks = new ArrayList<>();
        for (int i = 0; i < prompt.size(); i++) {
            blocks.add(block(prompt.get(i), "session/prompt: prompt[" + i + "]"));
        }
        return UserMessage.of(Message.user(MessageSource.ofKind("user"), blocks.toArray(ContentBlock[]::new)));
    }

    private static ContentBlock block(Json json, String where) {
        if (!(json instanceof JsonObject block)) {
            throw AcpException.invalidParams(where + ": expected an object, found " + AcpMessage.found(json));
        }
        return switch (block.string("type").orElse("")) {
            case "text" -> TextBlock.of(text(block, "text", where));
            case "image" -> ImageBlock.of(image(block, where));
            case "resource_link" ->
                TextBlock.of("[" + text(block, "name", where) + "](" + text(block, "uri", where) + ")");
            case "resource" -> resource(block, where);
            default ->
                throw AcpException.invalidParams(where
                        + ": expected a block of type text, image, resource_link or resource, found type "
                        + AcpMessage.found(block.get("type")));
        };
    }

    private static JsonObject image(JsonObject block, String where) {
        return JsonObject.builder()
                .put("mimeType", text(block, "mimeType", where))
                .put("data", text(block, "data", where))
                .build();
    }

    private static ContentBlock resource(JsonObject block, String where) {
        JsonObject resource = block.object("resource")
                .orElseThrow(() -> AcpException.invalidParams(
                        where + ": expected an object resource, found " + AcpMessage.found(block.get("resource"))));
        String uri = text(resource, "uri", where + ".resource");
        if (!resource.has("text") && resource.has("blob")) {
            throw AcpException.invalidParams(where + ": expected a resource of text, found the bytes of " + uri
                    + "; send it as an image, or a link to it");
        }
        String text = text(resource, "text", where + ".resource");
        return TextBlock.of("<resource uri=\"" + uri + "\">\n" + text + "\n</resource>");
    }

    private static String text(JsonObject block, String name, String where) {
        return block.string(name)
                .orElseThrow(() -> AcpException.invalidParams(
                        where + ": expected a string " + name + ", found " + AcpMessage.found(block.get(name))));
    }

    static JsonObject text(String text) {
        return JsonObject.builder().put("type", "text").put("text", text).build();
    }

    /** A block as a client can show it; empty for what it cannot. */
    static Optional<JsonObject> shown(ContentBlock block) {
        if (block instanceof TextBlock text) {
            return text.text().isEmpty() ? Optional.empty() : Optional.of(text(text.text()));
        }
        if (block instanceof ImageBlock image && image.attachment() instanceof JsonObject attachment) {
            return attachment
                    .string("mimeType")
                    .flatMap(type -> attachment
                            .string("data")
                            .map(data -> JsonObject.builder()
                                    .put("type", "image")
                                    .put("mimeType", type)
                                    .put("data", data)
                                    .build()));
        }
        return Optional.empty();
    }
}
