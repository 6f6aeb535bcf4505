package io.surfacelog.model;

import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TextBlock;
import io.surfacelog.projection.ModelRequest;
import java.util.List;
import java.util.Optional;

/** Calls as an agent loop would make them. */
final class ModelCalls {

    private ModelCalls() {}

    static ModelCall saying(String text) {
        return of(List.of(user(text)), DemoTools.all());
    }

    static ModelCall of(List<Message> messages, List<Tool> tools) {
        JsonObject header = JsonObject.builder()
                .put(
                        "config",
                        JsonObject.builder()
                                .put("provider", "test")
                                .put("model", "small")
                                .build())
                .put(
                        "tools",
                        JsonArray.of(tools.stream()
                                .map(tool -> tool.definition().json())
                                .toList()))
                .build();
        return new ModelCall(
                SessionId.of("s"),
                1,
                1,
                1,
                new ModelRequest(
                        Optional.of(RequestHeader.of(header, RequestHeader.INITIAL)), Optional.empty(), messages));
    }

    static Message user(String text) {
        return Message.user(MessageSource.ofKind("user"), TextBlock.of(text));
    }
}
