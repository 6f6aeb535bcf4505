package io.surfacelog.agent;

import io.surfacelog.event.ContextMessage;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.TextBlock;

/**
 * Something a model should know of its workspace.
 *
 * @param form what it is
 * @param name what it is about, as the path of a file; of one form and name the last one counts
 * @param text what the model is told
 */
public record ContextItem(Form form, String name, String text) {

    /** The kind of source of the messages that carry items. */
    static final String SOURCE_KIND = "workspace";

    /** What an item is. */
    public enum Form {
        /** The content of a file. */
        FILE("file"),
        /** How to work here. */
        INSTRUCTIONS("instructions"),
        /** Something that has changed or happened. */
        NOTICE("notice");

        private final String code;

        Form(String code) {
            this.code = code;
        }
    }

    public ContextItem {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("expected a name for a context item, found an empty one");
        }
    }

    ContextMessage message() {
        MessageSource source = new MessageSource(JsonObject.builder()
                .put("kind", SOURCE_KIND)
                .put("form", form.code)
                .put("name", name)
                .build());
        return ContextMessage.of(Message.user(source, TextBlock.of(text)));
    }

    /** What makes it another item: its form and name. */
    String key() {
        return form.code + "\n" + name;
    }

    /** The key of the item that a message of the surface carries, empty if it carries none. */
    static String keyOf(Message message) {
        JsonObject source = message.source().json();
        return message.source().kind().equals(SOURCE_KIND)
                ? source.string("form").orElse("") + "\n"
                        + source.string("name").orElse("")
                : "";
    }
}
