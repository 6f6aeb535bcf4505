package io.surfacelog.model;

import io.surfacelog.event.JsonObject;
import java.time.Duration;

/**
 * What a model is told of a tool, and how it may be run.
 *
 * @param name its name, not empty
 * @param description what it does, for the model
 * @param parameters the JSON schema of its arguments
 * @param parallel whether it may run beside other calls of its step that may, too
 * @param timeout how long a run may take
 */
public record ToolDefinition(
        String name, String description, JsonObject parameters, boolean parallel, Duration timeout) {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(2);

    public ToolDefinition {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("expected a tool name, found an empty one");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("expected a timeout above 0 for tool " + name + ", found " + timeout);
        }
    }

    /** A tool without arguments that runs alone, for at most two minutes. */
    public static ToolDefinition of(String name, String description) {
        JsonObject none = JsonObject.builder()
                .put("type", "object")
                .put("properties", JsonObject.builder().build())
                .build();
        return new ToolDefinition(name, description, none, false, DEFAULT_TIMEOUT);
    }

    public ToolDefinition parameters(JsonObject schema) {
        return new ToolDefinition(name, description, schema, parallel, timeout);
    }

    /** The same, to be run beside others. */
    public ToolDefinition inParallel() {
        return new ToolDefinition(name, description, parameters, true, timeout);
    }

    public ToolDefinition timeout(Duration other) {
        return new ToolDefinition(name, description, parameters, parallel, other);
    }

    /** As it stands in a request header: name, description and parameters. */
    public JsonObject json() {
        return JsonObject.builder()
                .put("name", name)
                .put("description", description)
                .put("parameters", parameters)
                .build();
    }
}
