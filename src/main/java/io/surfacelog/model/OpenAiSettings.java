package io.surfacelog.model;

import io.surfacelog.provider.Provider;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * How to reach an endpoint that speaks OpenAI's chat completions.
 *
 * <pre>{@code
 * OpenAiSettings settings = OpenAiSettings.at("http://localhost:11434/v1")
 *         .key(OpenAiKey.none())
 *         .idleTimeout(Duration.ofMinutes(5));
 * }</pre>
 *
 * @param baseUrl what {@code /chat/completions} is put behind: http or https, without user, query and fragment
 * @param key where the key comes from
 * @param provider how requests are rendered: {@link Provider#OPENAI} or {@link Provider#DEEPSEEK}
 * @param model the model to ask where the request header names none; empty for none
 * @param connectTimeout how long connecting may take, from 1 ms to a day
 * @param idleTimeout the longest silence, before the first byte and between two, from 1 ms to a day
 * @param callTimeout how long an answer may take in all, from 1 ms to a day
 */
public record OpenAiSettings(
        URI baseUrl,
        OpenAiKey key,
        Provider provider,
        Optional<String> model,
        Duration connectTimeout,
        Duration idleTimeout,
        Duration callTimeout) {

    private static final Duration LONGEST = Duration.ofDays(1);

    public OpenAiSettings {
        String scheme = baseUrl.getScheme();
        if (!("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme)) || baseUrl.getHost() == null) {
            throw new IllegalArgumentException("expected a base URL as https://host/v1, found one of scheme " + scheme
                    + " and host " + baseUrl.getHost());
        }
        if (baseUrl.getRawUserInfo() != null || baseUrl.getRawQuery() != null || baseUrl.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "expected a base URL without user, query and fragment, found one for host " + baseUrl.getHost()
                            + " that has some; a key belongs into the settings' key");
        }
        if (provider == Provider.ANTHROPIC) {
            throw new IllegalArgumentException(
                    "expected a provider that speaks OpenAI's protocol, OPENAI or DEEPSEEK, found " + provider);
        }
        check("connect timeout", connectTimeout);
        check("idle timeout", idleTimeout);
        check("call timeout", callTimeout);
    }

    /**
     * An endpoint with the key of environment variable {@code OPENAI_API_KEY}, requests as OpenAI takes them, 10 s to
     * connect, at most 2 min of silence and 30 min in all.
     */
    public static OpenAiSettings at(String baseUrl) {
        return new OpenAiSettings(
                URI.create(baseUrl),
                OpenAiKey.environment("OPENAI_API_KEY"),
                Provider.OPENAI,
                Optional.empty(),
                Duration.ofSeconds(10),
                Duration.ofMinutes(2),
                Duration.ofMinutes(30));
    }

    public OpenAiSettings key(OpenAiKey other) {
        return new OpenAiSettings(baseUrl, other, provider, model, connectTimeout, idleTimeout, callTimeout);
    }

    public OpenAiSettings provider(Provider other) {
        return new OpenAiSettings(baseUrl, key, other, model, connectTimeout, idleTimeout, callTimeout);
    }

    public OpenAiSettings model(String other) {
        return new OpenAiSettings(baseUrl, key, provider, Optional.of(other), connectTimeout, idleTimeout, callTimeout);
    }

    public OpenAiSettings connectTimeout(Duration other) {
        return new OpenAiSettings(baseUrl, key, provider, model, other, idleTimeout, callTimeout);
    }

    public OpenAiSettings idleTimeout(Duration other) {
        return new OpenAiSettings(baseUrl, key, provider, model, connectTimeout, other, callTimeout);
    }

    public OpenAiSettings callTimeout(Duration other) {
        return new OpenAiSettings(baseUrl, key, provider, model, connectTimeout, idleTimeout, other);
    }

    private static void check(String name, Duration time) {
        if (time.compareTo(Duration.ofMillis(1)) < 0 || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("expected a " + name + " from 1 ms to a day, found " + time);
        }
    }
}
