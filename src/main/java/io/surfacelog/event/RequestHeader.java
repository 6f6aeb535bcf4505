package io.surfacelog.event;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What requests to the model say beside the messages, from here on: configuration, system prompt, tools. Holds the
 * whole header, never a change.
 *
 * @param json the data, with the {@code header} and a {@code reason}
 */
public record RequestHeader(JsonObject json) implements LogOnlyPayload {

    public static final String INITIAL = "initial";
    public static final String RESUME = "resume";
    public static final String CHANGE = "change";

    public RequestHeader {
        PayloadRules.checkRequestHeader(json);
    }

    /** A header for this provider and model; reason is {@link #INITIAL}, {@link #RESUME} or {@link #CHANGE}. */
    public static RequestHeader of(String provider, String model, @Nullable String system, String reason) {
        JsonObject config = JsonObject.builder()
                .put("provider", provider)
                .put("model", model)
                .build();
        return of(
                JsonObject.builder()
                        .put("config", config)
                        .putIfPresent("system", system)
                        .build(),
                reason);
    }

    public static RequestHeader of(JsonObject header, String reason) {
        return new RequestHeader(
                JsonObject.builder().put("header", header).put("reason", reason).build());
    }

    /** The raw header, as it was sent. */
    public JsonObject header() {
        return json.object("header").orElseThrow();
    }

    /**
     * The header in normal form, for reports and comparison: an empty {@code system}, empty {@code tools} and {@code
     * adapterDefaults} without a true marker are dropped.
     */
    public JsonObject normalHeader() {
        JsonObject header = header();
        if (header.string("system").filter(String::isEmpty).isPresent()) {
            header = header.without("system");
        }
        if (header.array("tools").filter(tools -> tools.size() == 0).isPresent()) {
            header = header.without("tools");
        }
        if (header.object("adapterDefaults").filter(JsonObject::isEmpty).isPresent()) {
            header = header.without("adapterDefaults");
        }
        return header;
    }

    public JsonObject config() {
        return header().object("config").orElseThrow();
    }

    public String provider() {
        return config().string("provider").orElseThrow();
    }

    public String model() {
        return config().string("model").orElseThrow();
    }

    public Optional<String> system() {
        return header().string("system");
    }

    /** The tools offered to the model, none where they were not recorded. */
    public JsonArray tools() {
        return header().array("tools").orElse(JsonArray.EMPTY);
    }

    /** Why the header was recorded, empty where that was not. */
    public Optional<String> reason() {
        return json.string("reason");
    }

    @Override
    public String type() {
        return EventType.REQUEST_HEADER;
    }
}
