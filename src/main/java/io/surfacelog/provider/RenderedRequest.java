package io.surfacelog.provider;

import io.surfacelog.event.JsonObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request as a provider takes it.
 *
 * @param provider who it is for
 * @param body the body of the request
 * @param adjustments where it says other than the messages do, in the order of the request
 * @param toolNames the names of the tools as they were recorded, by the names in the request; those that are equal too
 */
public record RenderedRequest(
        Provider provider, JsonObject body, List<Adjustment> adjustments, Map<String, String> toolNames) {

    public RenderedRequest {
        adjustments = List.copyOf(adjustments);
        // in the order in which they come up, in every process
        toolNames = Collections.unmodifiableMap(new LinkedHashMap<>(toolNames));
    }
}
