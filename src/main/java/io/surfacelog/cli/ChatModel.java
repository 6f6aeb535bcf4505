package io.surfacelog.cli;

import io.surfacelog.agent.AgentProfile;
import io.surfacelog.model.DemoTools;
import io.surfacelog.model.OpenAiKey;
import io.surfacelog.model.OpenAiModel;
import io.surfacelog.model.OpenAiSettings;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.provider.Provider;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The model a chat asks.
 *
 * @param profile what its agents are made of
 * @param sentence what it is, for people
 * @param endpoint what is to be closed; null for the script
 */
record ChatModel(
        AgentProfile profile, String sentence, @Nullable OpenAiModel endpoint) implements AutoCloseable {

    static final String HELP =
            "The model to ask at the endpoint of surfacelog.chat.base-url, or demo: a script (default:"
                    + " surfacelog.chat.model, and demo if nothing says so).";

    private static final String DEMO = "demo";
    private static final String PREFIX = "surfacelog.chat";

    /**
     * How a model is reached, as {@code surfacelog.chat.*} says it.
     *
     * @param model its name; null for none
     * @param baseUrl what {@code /chat/completions} is put behind; null for none
     * @param provider how requests are rendered
     * @param keyVariable the environment variable with the key; empty for an endpoint that asks for none
     */
    record Settings(
            @Nullable String model,
            @Nullable String baseUrl,
            @DefaultValue("openai") Provider provider,
            @DefaultValue("OPENAI_API_KEY") String keyVariable) {}

    /**
     * The model of this name.
     *
     * @param name null for the one that is configured
     */
    static ChatModel of(Standalone store, @Nullable String name) {
        Settings settings = store.settings(PREFIX, Settings.class);
        String wanted = name == null ? settings.model() : name;
        if (wanted == null || wanted.equals(DEMO)) {
            return new ChatModel(
                    AgentProfile.of(ScriptedModel.demo(), "surfacelog", DEMO).tools(DemoTools.all()),
                    wanted == null ? "No model is configured, so a script answers: demo." : "A script answers: demo.",
                    null);
        }
        return at(settings, wanted);
    }

    private static ChatModel at(Settings settings, String model) {
        String url = settings.baseUrl();
        if (url == null || url.isBlank()) {
            throw new NoEndpointException(model);
        }
        String variable = settings.keyVariable();
        OpenAiModel endpoint = OpenAiModel.of(OpenAiSettings.at(url)
                .provider(settings.provider())
                .key(variable.isBlank() ? OpenAiKey.none() : OpenAiKey.environment(variable)));
        String provider = settings.provider().name().toLowerCase(Locale.ROOT);
        return new ChatModel(
                AgentProfile.of(endpoint, provider, model).tools(DemoTools.all()),
                "Asks " + model + " at " + url + ".",
                endpoint);
    }

    @Override
    public void close() {
        if (endpoint != null) {
            endpoint.close();
        }
    }
}
