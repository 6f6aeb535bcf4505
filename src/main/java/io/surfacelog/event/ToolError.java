package io.surfacelog.event;

/**
 * Why a tool run failed.
 *
 * @param name name of the error
 * @param code its stable code
 */
public record ToolError(String name, String code) {

    JsonObject json() {
        return JsonObject.builder().put("name", name).put("code", code).build();
    }

    static ToolError of(JsonObject json) {
        return new ToolError(Shape.text(json, "name"), Shape.text(json, "code"));
    }
}
