package io.surfacelog.agent;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.RequestContext;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.model.ModelPort;
import io.surfacelog.model.Tool;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an agent is made of: its model, what is said in every request, its tools and its limits. Immutable.
 *
 * <pre>{@code
 * AgentProfile profile = AgentProfile.of(model, "openai", "gpt-5")
 *         .system("You answer for the parcel desk.")
 *         .tools(findOrder, trackParcel);
 * }</pre>
 */
public final class AgentProfile {

    private static final int MAX_STEPS = 50;
    private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(5);

    private final ModelPort port;
    private final JsonObject config;
    private final @Nullable String system;
    private final Map<String, Tool> tools;
    private final @Nullable Long contextWindow;
    private final int maxSteps;
    private final RetryPolicy retries;
    private final Duration idleTimeout;

    private AgentProfile(
            ModelPort port,
            JsonObject config,
            @Nullable String system,
            Map<String, Tool> tools,
            @Nullable Long contextWindow,
            int maxSteps,
            RetryPolicy retries,
            Duration idleTimeout) {
        this.port = port;
        this.config = config;
        this.system = system;
        this.tools = tools;
        this.contextWindow = contextWindow;
        this.maxSteps = maxSteps;
        this.retries = retries;
        this.idleTimeout = idleTimeout;
    }

    /**
     * An agent that asks this model, without tools, of at most 50 steps a turn.
     *
     * @param provider who runs the model, for the request header; not empty
     * @param model its name there; not empty
     */
    public static AgentProfile of(ModelPort port, String provider, String model) {
        if (provider.isEmpty() || model.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected a provider and a model, found \"" + provider + "\" and \"" + model + "\"");
        }
        JsonObject config = JsonObject.builder()
                .put("provider", provider)
                .put("model", model)
                .build();
        return new AgentProfile(port, config, null, Map.of(), null, MAX_STEPS, RetryPolicy.defaults(), IDLE_TIMEOUT);
    }

    /** What the model is told before everything else, in every request. */
    public AgentProfile system(String prompt) {
        return new AgentProfile(port, config, prompt, tools, contextWindow, maxSteps, retries, idleTimeout);
    }

    /**
     * The tools the model is offered, in this order.
     *
     * @throws IllegalArgumentException if two have one name
     */
    public AgentProfile tools(Tool... offered) {
        return tools(List.of(offered));
    }

    /** The same. */
    public AgentProfile tools(List<Tool> offered) {
        Map<String, Tool> byName = new LinkedHashMap<>();
        for (Tool tool : offered) {
            if (byName.put(tool.definition().name(), tool) != null) {
                throw new IllegalArgumentException("expected tools of different names, found "
                        + tool.definition().name() + " twice; rename one");
            }
        }
        return new AgentProfile(port, config, system, byName, contextWindow, maxSteps, retries, idleTimeout);
    }

    /**
     * How much the model is to think, in its provider's word.
     *
     * @throws io.surfacelog.event.AdmissionException if it is empty
     */
    public AgentProfile reasoningEffort(String effort) {
        return config("reasoningEffort", new JsonString(effort));
    }

    /** How free the model is in its words, as its provider counts that; a finite number. */
    public AgentProfile temperature(double temperature) {
        return config("temperature", JsonNumber.of(temperature));
    }

    /** How many tokens an answer may have, from 1. */
    public AgentProfile maxTokens(long tokens) {
        return config("maxTokens", JsonNumber.of(tokens));
    }

    /** Size of the model's context window in tokens, for whoever compacts. */
    public AgentProfile contextWindow(long tokens) {
        return new AgentProfile(port, config, system, tools, tokens, maxSteps, retries, idleTimeout);
    }

    /** How many steps a turn may have, from 1; one that needs more ends with the reason {@code step-limit}. */
    public AgentProfile maxSteps(int steps) {
        if (steps < 1) {
            throw new IllegalArgumentException("expected at least 1 step, found " + steps);
        }
        return new AgentProfile(port, config, system, tools, contextWindow, steps, retries, idleTimeout);
    }

    /** When a failed attempt is made again; three times unless set. */
    public AgentProfile retries(RetryPolicy policy) {
        return new AgentProfile(port, config, system, tools, contextWindow, maxSteps, policy, idleTimeout);
    }

    /** How long the model may say nothing before an attempt has failed; five minutes unless set. */
    public AgentProfile idleTimeout(Duration longest) {
        if (longest.isNegative() || longest.isZero()) {
            throw new IllegalArgumentException("expected an idle timeout above 0, found " + longest);
        }
        return new AgentProfile(port, config, system, tools, contextWindow, maxSteps, retries, longest);
    }

    /** What no request header takes is refused here, and not in the middle of a turn. */
    private AgentProfile config(String name, Json value) {
        AgentProfile changed = new AgentProfile(
                port, config.with(name, value), system, tools, contextWindow, maxSteps, retries, idleTimeout);
        RequestHeader unused = RequestHeader.of(changed.header(), RequestHeader.INITIAL);
        return changed;
    }

    /** What requests say beside the messages, as a request header holds it. */
    public JsonObject header() {
        JsonObject.Builder header = JsonObject.builder().put("config", config).putIfPresent("system", system);
        if (!tools.isEmpty()) {
            header.put(
                    "tools",
                    JsonArray.of(tools.values().stream()
                            .map(tool -> tool.definition().json())
                            .toList()));
        }
        return header.build();
    }

    RequestContext requestContext() {
        return RequestContext.of(provider(), model(), contextWindow);
    }

    public String provider() {
        return config.string("provider").orElseThrow();
    }

    public String model() {
        return config.string("model").orElseThrow();
    }

    ModelPort port() {
        return port;
    }

    Optional<Tool> tool(String name) {
        return Optional.ofNullable(tools.get(name));
    }

    int maxSteps() {
        return maxSteps;
    }

    RetryPolicy retries() {
        return retries;
    }

    Duration idleTimeout() {
        return idleTimeout;
    }
}
