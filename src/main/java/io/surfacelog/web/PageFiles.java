package io.surfacelog.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The files of the page: these, and no others. All are read once, when the application starts, so that no path of a
 * request is ever one of a file system or a class path.
 */
final class PageFiles {

    private static final String OURS = "io/surfacelog/web/page/";
    private static final String JARS = "META-INF/resources/webjars/";

    /** Stands in the page for the way from it to the API. */
    private static final String API = "@API@";

    static final String INDEX = "index.html";

    static final List<String> NAMES = List.of(
            INDEX,
            "api.js",
            "app.js",
            "base.css",
            "columns.js",
            "detail.js",
            "feed.js",
            "icon.svg",
            "json.js",
            "keys.js",
            "layout.css",
            "layout.js",
            "lines.js",
            "list.js",
            "log.js",
            "moments.js",
            "plot.js",
            "price.js",
            "request.js",
            "rows.js",
            "seqs.js",
            "session-view.js",
            "session.css",
            "session.js",
            "sought.js",
            "surface.js",
            "theme.js",
            "token.js",
            "view.js",
            "where.js",
            "words.js");

    /** Libraries, by the name under which the page has them. */
    static final Map<String, String> LIBRARIES = Map.of(
            "lib/preact.js", JARS + "preact/10.26.9/dist/preact.module.js",
            "lib/uplot.js", JARS + "uplot/1.6.30/dist/uPlot.esm.js",
            "lib/uplot.css", JARS + "uplot/1.6.30/dist/uPlot.min.css");

    private final Map<String, PageFile> files;

    private PageFiles(Map<String, PageFile> files) {
        this.files = files;
    }

    /** The libraries that are not on the class path, empty if none is missing. */
    static String missing(@Nullable ClassLoader loader) {
        ClassLoader from = loader == null ? PageFiles.class.getClassLoader() : loader;
        return LIBRARIES.values().stream()
                .filter(library -> from.getResource(library) == null)
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** Reads all of them. */
    static PageFiles load(WebProperties properties) {
        Map<String, PageFile> files = new LinkedHashMap<>();
        for (String name : NAMES) {
            files.put(name, new PageFile(mediaType(name), read(OURS + name)));
        }
        LIBRARIES.forEach((name, library) -> files.put(name, new PageFile(mediaType(name), read(library))));
        String way = way(properties.page().directory(), properties.basePath());
        String page = new String(read(OURS + INDEX), StandardCharsets.UTF_8).replace(API, way);
        files.put(INDEX, new PageFile(mediaType(INDEX), page.getBytes(StandardCharsets.UTF_8)));
        return new PageFiles(files);
    }

    Optional<PageFile> find(String name) {
        return Optional.ofNullable(files.get(name));
    }

    /** From the page to the API, relative, since only the browser knows what stands before both. */
    private static String way(String directory, String basePath) {
        long up = directory.chars().filter(c -> c == '/').count() - 1;
        return "../".repeat((int) up) + basePath.substring(1);
    }

    private static byte[] read(String resource) {
        try (InputStream in = PageFiles.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("expected on the class path " + resource + ", found nothing");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read from the class path " + resource, e);
        }
    }

    private static String mediaType(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html;charset=utf-8";
            case "css" -> "text/css;charset=utf-8";
            case "js" -> "text/javascript;charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> throw new IllegalArgumentException("expected a file of a known kind, found " + name);
        };
    }
}
