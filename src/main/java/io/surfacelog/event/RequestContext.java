package io.surfacelog.event;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The model's limits, from here on.
 *
 * @param json the data, with the strings {@code provider} and {@code model}
 */
public record RequestContext(JsonObject json) implements LogOnlyPayload {

    public RequestContext {
        Shape.text(json, "provider");
        Shape.text(json, "model");
    }

    /** The context window is in tokens; null where it is not known. */
    public static RequestContext of(String provider, String model, @Nullable Long contextWindow) {
        return new RequestContext(JsonObject.builder()
                .put("provider", provider)
                .put("model", model)
                .putIfPresent("contextWindow", contextWindow)
                .build());
    }

    public String provider() {
        return Shape.text(json, "provider");
    }

    public String model() {
        return Shape.text(json, "model");
    }

    /** Size of the context window in tokens. */
    public OptionalLong contextWindow() {
        return json.longValue("contextWindow");
    }

    @Override
    public String type() {
        return EventType.REQUEST_CONTEXT;
    }
}
