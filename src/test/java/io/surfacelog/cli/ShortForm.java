package io.surfacelog.cli;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import java.util.stream.Collectors;

/** A message in the short form of the recorded answers: role, kind of source, types of its blocks and how texts begin. */
final class ShortForm {

    private static final int SHOWN = 24;

    private ShortForm() {}

    static String of(Message message) {
        JsonObject json = message.json();
        String kind =
                json.object("source").flatMap(source -> source.string("kind")).orElseThrow();
        return json.string("role").orElseThrow() + "/" + kind
                + json.array("content").orElseThrow().items().stream()
                        .map(ShortForm::block)
                        .collect(Collectors.joining(",", "[", "]"));
    }

    private static String block(Json json) {
        JsonObject block = (JsonObject) json;
        String type = block.string("type").orElseThrow();
        return type.equals("text")
                ? "text:"
                        + block.string("text")
                                .map(text -> text.substring(0, Math.min(SHOWN, text.length())))
                                .orElseThrow()
                : type;
    }
}
