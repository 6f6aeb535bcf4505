package io.surfacelog.web;

import io.surfacelog.event.SessionId;
import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Text in a URL: percent-encoded UTF-8, in which {@code ~} and four hexadecimal digits stand for one UTF-16 unit. So every
 * id has a spelling that passes servers, proxies and firewalls: {@code a~002fb} is {@code a/b}, {@code ~d800} a lone
 * surrogate, {@code ~007e} a tilde.
 */
final class UrlText {

    private static final int DIGITS = 4;

    private UrlText() {}

    /**
     * What a raw piece of a URL says.
     *
     * @throws ProblemException if it is not UTF-8, or has an escape that says nothing
     */
    static String decode(String raw) {
        return unescape(percentDecode(raw));
    }

    /** The id that a raw segment of a path says. */
    static SessionId session(String raw) {
        String percent = percentDecode(raw);
        if (percent.equals(".") || percent.equals("..")) {
            // others on the way take these for steps in the path, so it would be two paths
            throw ProblemException.badRequest("expected a session id, found \"" + percent
                    + "\", which URLs use for something else; write each dot as ~002e");
        }
        String id = unescape(percent);
        if (id.isEmpty()) {
            throw ProblemException.badRequest("expected a session id, found an empty one");
        }
        return SessionId.of(id);
    }

    /** The spelling of a text that is understood everywhere: letters, digits, and few others as they are. */
    static String encode(String text) {
        StringBuilder out = new StringBuilder(text.length() + 8);
        boolean dots = text.equals(".") || text.equals("..");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (isPlain(c) && !(dots && c == '.')) {
                out.append(c);
            } else if (pair) {
                out.append(URLEncoder.encode(text.substring(i, i + 2), StandardCharsets.UTF_8));
                i++;
            } else if (c > 0x7F && !Character.isSurrogate(c)) {
                out.append(URLEncoder.encode(String.valueOf(c), StandardCharsets.UTF_8));
            } else {
                out.append('~').append(Integer.toHexString(0x1_0000 | c), 1, 1 + DIGITS);
            }
        }
        return out.toString();
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '_'
                || c == '.';
    }

    private static String percentDecode(String raw) {
        if (raw.indexOf('%') < 0) {
            return raw;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c != '%') {
                bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
                continue;
            }
            int value = hex(raw, i + 1, 2);
            if (value < 0) {
                throw ProblemException.badRequest(
                        "expected two hexadecimal digits after each % of the URL, found " + shown(raw));
            }
            bytes.write(value);
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw ProblemException.badRequest("expected percent-encoded UTF-8 in the URL, found " + shown(raw)
                    + "; a lone surrogate is written as ~d800");
        }
    }

    private static String unescape(String text) {
        if (text.indexOf('~') < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '~') {
                out.append(c);
                continue;
            }
            int unit = hex(text, i + 1, DIGITS);
            if (unit < 0) {
                throw ProblemException.badRequest("expected four hexadecimal digits after each ~ of the URL, found "
                        + shown(text) + "; a tilde itself is written as ~007e");
            }
            out.append((char) unit);
            i += DIGITS;
        }
        return out.toString();
    }

    /** The number that so many digits say, -1 if they are none. */
    private static int hex(String text, int from, int digits) {
        if (from + digits > text.length()) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            char c = text.charAt(i);
            int digit = c < 0x80 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value * 16 + digit;
        }
        return value;
    }

    private static String shown(String text) {
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }
}
