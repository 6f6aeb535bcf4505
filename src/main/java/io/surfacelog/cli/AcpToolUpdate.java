package io.surfacelog.cli;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.ToolResultBlock;
import java.util.ArrayList;
import java.util.List;

/** The updates a tool call goes through. */
final class AcpToolUpdate {

    private AcpToolUpdate() {}

    /** The model asks for it. */
    static JsonObject asked(String name, String tool, String arguments) {
        JsonObject.Builder update = JsonObject.builder()
                .put("sessionUpdate", "tool_call")
                .put("toolCallId", name)
                .put("title", tool)
                .put("kind", "other")
                .put("status", "pending");
        return (arguments.isBlank() ? update : update.put("rawInput", input(arguments))).build();
    }

    /** What the model gave, as JSON if it is that. */
    private static Json input(String arguments) {
        try {
            return Json.parse(arguments);
        } catch (AdmissionException noJson) {
            return JsonString.of(arguments);
        }
    }

    /** Its run begins. */
    static JsonObject started(String name) {
        return update(name, "in_progress").build();
    }

    /** It has come to this. */
    static JsonObject answered(String name, ToolResultBlock result) {
        List<JsonObject> content = new ArrayList<>();
        for (ContentBlock block : result.content()) {
            AcpContent.shown(block)
                    .ifPresent(shown -> content.add(JsonObject.builder()
                            .put("type", "content")
                            .put("content", shown)
                            .build()));
        }
        return update(name, result.isError() ? "failed" : "completed")
                .put("content", JsonArray.of(content))
                .build();
    }

    private static JsonObject.Builder update(String name, String status) {
        return JsonObject.builder()
                .put("sessionUpdate", "tool_call_update")
                .put("toolCallId", name)
                .put("status", status);
    }
}
