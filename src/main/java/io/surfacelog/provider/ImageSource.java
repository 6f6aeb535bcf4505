package io.surfacelog.provider;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a provider finds an image. The attachment of a block may be a URL, or an object with {@code url} (or {@code uri}),
 * or one with {@code data} (or {@code base64}) and {@code mediaType} (or {@code mimeType}, {@code media_type}, {@code
 * mime_type}); the same one level deeper under {@code source} or {@code image_url}.
 */
sealed interface ImageSource {

    Set<String> MEDIA_TYPES = Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

    Pattern DATA_URL = Pattern.compile("data:([a-zA-Z0-9/+.-]+);base64,");

    /** A picture on a server, by its HTTP or HTTPS address. */
    record Remote(String url) implements ImageSource {

        boolean isSecure() {
            return url.startsWith("https://");
        }
    }

    /** A picture in the request, in base 64. */
    record Inline(String mediaType, String data) implements ImageSource {

        String url() {
            return "data:" + mediaType + ";base64," + data;
        }
    }

    /** The image of this attachment, empty where no provider would find one. Cost: O(attachment). */
    static Optional<ImageSource> of(@Nullable Json attachment) {
        if (attachment instanceof JsonString string) {
            return ofUrl(string.value());
        }
        if (!(attachment instanceof JsonObject object)) {
            return Optional.empty();
        }
        Optional<ImageSource> direct = ofMembers(object);
        return direct.isPresent()
                ? direct
                : first(object, "source", "image_url")
                        .flatMap(inner -> inner instanceof JsonObject deeper
                                ? ofMembers(deeper)
                                : inner instanceof JsonString url ? ofUrl(url.value()) : Optional.empty());
    }

    private static Optional<ImageSource> ofMembers(JsonObject object) {
        Optional<String> url = text(object, "url", "uri");
        if (url.isPresent()) {
            return ofUrl(url.get());
        }
        return text(object, "data", "base64")
                .flatMap(data -> text(object, "mediaType", "mimeType", "media_type", "mime_type")
                        .flatMap(type -> inline(type, data)));
    }

    private static Optional<ImageSource> ofUrl(String url) {
        Matcher data = DATA_URL.matcher(url);
        if (data.lookingAt()) {
            return inline(data.group(1), url.substring(data.end()));
        }
        boolean web = url.startsWith("https://") || url.startsWith("http://");
        return web && url.chars().allMatch(c -> c > 0x20 && c < 0x7F) ? Optional.of(new Remote(url)) : Optional.empty();
    }

    private static Optional<ImageSource> inline(String type, String data) {
        String mediaType = type.toLowerCase(Locale.ROOT).replace("image/jpg", "image/jpeg");
        return MEDIA_TYPES.contains(mediaType) && isBase64(data)
                ? Optional.of(new Inline(mediaType, data))
                : Optional.empty();
    }

    private static boolean isBase64(String data) {
        int end = data.length();
        if (end == 0 || end % 4 != 0) {
            return false;
        }
        end -= data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
        return data.substring(0, end)
                .chars()
                .allMatch(c -> (c >= 'A' && c <= 'Z')
                        || (c >= 'a' && c <= 'z')
                        || (c >= '0' && c <= '9')
                        || c == '+'
                        || c == '/');
    }

    private static Optional<String> text(JsonObject object, String... names) {
        return first(object, names).map(json -> json instanceof JsonString string ? string.value() : "");
    }

    private static Optional<Json> first(JsonObject object, String... names) {
        for (String name : names) {
            Json found = object.get(name);
            if (found != null) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }
}
