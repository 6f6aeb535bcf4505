package io.surfacelog.web;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of Surfacelog over HTTP.
 *
 * @param enabled whether there is an API over HTTP at all
 * @param basePath where it begins, below the context path
 * @param token what a client has to send as its bearer token, at least 16 characters; none is asked for unless it is set
 * @param allowUnprotected whether anybody who reaches the port may use it, without a token and without Spring Security
 * @param allowedHosts names under which a client on this machine may reach an API without a token, besides localhost
 * @param maxBody how large a body may be, from 1KB
 * @param maxImport how large an imported log may be, from 1KB
 * @param feed the live feed
 * @param page the inspector page
 */
@ConfigurationProperties("surfacelog.web")
public record WebProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("/surfacelog/api") String basePath,
        @Nullable String token,
        @DefaultValue("false") boolean allowUnprotected,
        @DefaultValue List<String> allowedHosts,
        @DefaultValue("32MB") DataSize maxBody,
        @DefaultValue("4GB") DataSize maxImport,
        @DefaultValue Feed feed,
        @DefaultValue Page page) {

    private static final int SHORTEST_TOKEN = 16;
    private static final long SMALLEST_BODY = 1_024;

    public WebProperties {
        if (!basePath.matches("(/[A-Za-z0-9_-]+)+")) {
            throw new IllegalArgumentException(
                    "expected surfacelog.web.base-path as /api or /surfacelog/api, found \"" + basePath + "\"");
        }
        if (token != null && (token.length() < SHORTEST_TOKEN || !token.matches("[A-Za-z0-9._~+/=-]+"))) {
            throw new IllegalArgumentException("expected surfacelog.web.token of at least " + SHORTEST_TOKEN
                    + " characters, letters, digits and ._~+/=- only, found " + token.length() + " characters");
        }
        if (maxBody.toBytes() < SMALLEST_BODY || maxImport.toBytes() < SMALLEST_BODY) {
            throw new IllegalArgumentException(
                    "expected surfacelog.web.max-body and max-import from 1KB, found " + maxBody + " and " + maxImport);
        }
        allowedHosts = List.copyOf(allowedHosts);
    }

    /** Does not show the token. */
    @Override
    public String toString() {
        return "WebProperties[enabled=" + enabled + ", basePath=" + basePath + ", token="
                + (token == null ? "none" : "set") + "]";
    }

    /**
     * The live feed.
     *
     * @param heartbeat how often a client that hears nothing else hears a comment, from 100ms to 1m; one that takes in nothing
     *     for twice as long is dropped
     * @param maxClients how many clients may follow at once, from 1
     * @param maxBehind how far behind a client may fall before it is dropped, from 1KB; it goes on after the last id it has
     */
    public record Feed(
            @DefaultValue("15s") Duration heartbeat,
            @DefaultValue("10000") int maxClients,
            @DefaultValue("1MB") DataSize maxBehind) {

        public Feed {
            if (heartbeat.compareTo(Duration.ofMillis(100)) < 0 || heartbeat.compareTo(Duration.ofMinutes(1)) > 0) {
                throw new IllegalArgumentException(
                        "expected surfacelog.web.feed.heartbeat from 100ms to 1m, found " + heartbeat);
            }
            if (maxClients < 1 || maxBehind.toBytes() < SMALLEST_BODY) {
                throw new IllegalArgumentException("expected surfacelog.web.feed.max-clients from 1 and max-behind from"
                        + " 1KB, found " + maxClients + " and " + maxBehind);
            }
        }
    }

    /**
     * The inspector page, which shows in a browser what the API tells.
     *
     * @param enabled whether there is one, where there is an API
     * @param path where it is, below the context path; / for the root
     */
    public record Page(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/surfacelog") String path) {

        public Page {
            if (!path.matches("/|(/[A-Za-z0-9_-]+)+")) {
                throw new IllegalArgumentException(
                        "expected surfacelog.web.page.path as / or /surfacelog, found \"" + path + "\"");
            }
        }

        /** The path, ending in a slash. */
        String directory() {
            return path.equals("/") ? path : path + "/";
        }
    }
}
