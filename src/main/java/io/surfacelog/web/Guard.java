package io.surfacelog.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Who may use the API, and the headers that keep a browser from making anything else of its answers. */
final class Guard {

    private static final String BEARER = "Bearer ";

    private final byte @Nullable [] token;
    private final boolean protectedElsewhere;
    private final boolean open;
    private final List<String> allowedHosts;

    /**
     * A guard.
     *
     * @param protectedElsewhere whether Spring Security stands before the API
     */
    Guard(WebProperties properties, boolean protectedElsewhere) {
        String secret = properties.token();
        this.token = secret == null ? null : digest(secret);
        this.protectedElsewhere = protectedElsewhere;
        this.open = properties.allowUnprotected();
        this.allowedHosts = properties.allowedHosts().stream()
                .map(host -> host.toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Sets what every answer says. */
    static void mark(HttpServletResponse response) {
        response.setHeader(
                "Content-Security-Policy",
                "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cache-Control", "no-store");
    }

    /**
     * Refuses who may not use the API.
     *
     * @throws ProblemException 401, 403 or 421
     */
    void check(HttpServletRequest request) {
        if (token != null) {
            checkToken(request, token);
        } else if (!protectedElsewhere) {
            checkNear(request);
        }
        if (!request.getMethod().equals("GET")) {
            checkOrigin(request);
        }
    }

    private static void checkToken(HttpServletRequest request, byte[] expected) {
        String header = request.getHeader("Authorization");
        boolean bearer = header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length());
        // digests are of one length, so that the time taken says nothing about the token
        byte[] found = digest(bearer ? header.substring(BEARER.length()).strip() : "");
        if (!MessageDigest.isEqual(expected, found)) {
            throw Problem.of(
                            ProblemType.UNAUTHORIZED,
                            "expected the header Authorization: Bearer with the token of surfacelog.web.token, found "
                                    + (header == null ? "none" : "another"))
                    .exception();
        }
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Without a token only this machine may come in, under a name that only this machine can mean. */
    private void checkNear(HttpServletRequest request) {
        boolean near = isLoopback(request.getLocalAddr()) && isLoopback(request.getRemoteAddr());
        if (!near && !open) {
            throw Problem.of(
                            ProblemType.UNPROTECTED,
                            "expected a client on this machine, since there is neither a token nor Spring Security;"
                                    + " set surfacelog.web.token")
                    .exception();
        }
        String host = hostName(request.getHeader("Host"));
        if (near && !isLocalName(host) && !allowedHosts.contains(host)) {
            // the name of another site that was made to lead here (DNS rebinding)
            throw Problem.of(
                            ProblemType.MISDIRECTED,
                            "expected the host localhost, found another; a name of this machine can be added to"
                                    + " surfacelog.web.allowed-hosts")
                    .exception();
        }
    }

    private static boolean isLoopback(@Nullable String address) {
        if (address == null || address.isEmpty()) {
            return false;
        }
        try {
            // an address and never a name, so that nothing is looked up
            return InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static boolean isLocalName(String host) {
        return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.[0-9]{1,3}){3}");
    }

    private static String hostName(@Nullable String header) {
        String host = header == null ? "" : header.strip().toLowerCase(Locale.ROOT);
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    }

    /** A browser says where a request comes from; another client says nothing, and needs no such protection. */
    private static void checkOrigin(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            throw foreign("Sec-Fetch-Site: " + site);
        }
        String origin = request.getHeader("Origin");
        if (origin != null && !authority(origin).equalsIgnoreCase(String.valueOf(request.getHeader("Host")))) {
            throw foreign("another origin");
        }
    }

    private static String authority(String origin) {
        try {
            String authority = URI.create(origin).getRawAuthority();
            return authority == null ? "" : authority;
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static ProblemException foreign(String found) {
        return Problem.of(
                        ProblemType.FOREIGN_ORIGIN,
                        "expected a write to come from a page of this server or from no page, found " + found)
                .exception();
    }
}
