package io.surfacelog.event;

import java.util.Optional;

/**
 * Where a message comes from: its kind ({@code user}, {@code model}, {@code tool}, {@code plugin}, …) and whatever else
 * the producer recorded.
 *
 * @param json the source, with a non-empty string {@code kind}
 */
public record MessageSource(JsonObject json) {

    public static final String MODEL = "model";
    public static final String TOOL = "tool";

    public MessageSource {
        if (json.string("kind").filter(kind -> !kind.isEmpty()).isEmpty()) {
            throw new AdmissionException(
                    AdmissionRule.MESSAGE_SOURCE,
                    "expected source.kind to be a non-empty string, found " + Shape.found(json.get("kind")));
        }
    }

    public static MessageSource ofKind(String kind) {
        return new MessageSource(JsonObject.builder().put("kind", kind).build());
    }

    public static MessageSource model(String provider, String model) {
        return new MessageSource(JsonObject.builder()
                .put("kind", MODEL)
                .put("provider", provider)
                .put("model", model)
                .build());
    }

    public static MessageSource tool(String callId) {
        return new MessageSource(
                JsonObject.builder().put("kind", TOOL).put("callId", callId).build());
    }

    public String kind() {
        return json.string("kind").orElseThrow();
    }

    /** Provider of a model source. */
    public Optional<String> provider() {
        return json.string("provider");
    }

    /** Model of a model source. */
    public Optional<String> model() {
        return json.string("model");
    }

    /** The call that a tool source answers. */
    public Optional<String> callId() {
        return json.string("callId");
    }
}
