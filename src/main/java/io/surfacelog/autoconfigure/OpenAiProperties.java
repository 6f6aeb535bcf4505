package io.surfacelog.autoconfigure;

import io.surfacelog.model.OpenAiKey;
import io.surfacelog.model.OpenAiSettings;
import io.surfacelog.provider.Provider;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A model behind an endpoint that speaks OpenAI's chat completions.
 *
 * @param baseUrl what /chat/completions is put behind, as https://api.openai.com/v1; there is such a model only if it is set
 * @param keyVariable the environment variable that holds the key, or none for an endpoint that asks for no key
 * @param provider how requests are rendered: openai or deepseek
 * @param defaultModel the model to ask where the request header names none
 * @param connectTimeout how long connecting may take, from 1ms to a day
 * @param idleTimeout the longest silence of the endpoint, from 1ms to a day
 * @param callTimeout how long an answer may take in all, from 1ms to a day
 */
@ConfigurationProperties("surfacelog.model.openai")
public record OpenAiProperties(
        @Nullable URI baseUrl,
        @DefaultValue("OPENAI_API_KEY") String keyVariable,
        @DefaultValue("openai") Provider provider,
        @Nullable String defaultModel,
        @DefaultValue("10s") Duration connectTimeout,
        @DefaultValue("2m") Duration idleTimeout,
        @DefaultValue("30m") Duration callTimeout) {

    private static final String NO_KEY = "none";

    OpenAiSettings settings() {
        if (baseUrl == null) {
            throw new IllegalStateException(
                    "expected surfacelog.model.openai.base-url, found none; set it, as https://api.openai.com/v1");
        }
        return new OpenAiSettings(
                baseUrl,
                keyVariable.equalsIgnoreCase(NO_KEY) ? OpenAiKey.none() : OpenAiKey.environment(keyVariable),
                provider,
                Optional.ofNullable(defaultModel),
                connectTimeout,
                idleTimeout,
                callTimeout);
    }
}
