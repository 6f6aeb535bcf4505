package io.surfacelog.web;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the inspector page, which is the same for everybody and holds nothing of any session: what it shows it asks
 * the API for, which decides who may see it.
 */
final class PageServlet extends HttpServlet {

    @Serial
    private static final long serialVersionUID = 1L;

    /** The directory of all files but the page itself, so that at the root nothing else is taken. */
    static final String FILES = "inspector/";

    /**
     * Nothing but our own files, no script or style that stands in the page, and no way to make markup of a text: even if we
     * wrote such a line, the browser would refuse it.
     */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    private final transient PageFiles files;
    private final String directory;

    PageServlet(PageFiles files, String directory) {
        this.files = files;
        this.directory = directory;
    }

    /** Where the servlet of a page in this directory has to be mapped. */
    static String[] mappings(String directory) {
        return directory.equals("/") ? new String[] {"", "/" + FILES + "*"} : new String[] {directory + "*"};
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        mark(response);
        String method = request.getMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            response.setHeader("Allow", "GET, HEAD");
            refuse(response, HttpServletResponse.SC_METHOD_NOT_ALLOWED, "Only GET and HEAD.");
            return;
        }
        // as it was sent: what is not spelt as in the list is not in the list
        String path = request.getRequestURI().substring(request.getContextPath().length());
        if ((path + "/").equals(directory) && !path.isEmpty()) {
            // relative, since a proxy may know this directory by another name
            response.setStatus(HttpServletResponse.SC_MOVED_PERMANENTLY);
            response.setHeader("Location", path.substring(path.lastIndexOf('/') + 1) + "/");
            return;
        }
        Optional<PageFile> file =
                path.startsWith(directory) ? file(path.substring(directory.length())) : Optional.empty();
        if (file.isEmpty()) {
            refuse(response, HttpServletResponse.SC_NOT_FOUND, "There is no such file of the inspector page.");
            return;
        }
        send(file.get(), request, response);
    }

    private Optional<PageFile> file(String name) {
        if (name.isEmpty()) {
            return files.find(PageFiles.INDEX);
        }
        return name.startsWith(FILES) && !name.endsWith(PageFiles.INDEX)
                ? files.find(name.substring(FILES.length()))
                : Optional.empty();
    }

    private static void send(PageFile file, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setHeader("ETag", file.entityTag());
        // to be asked for each time, and answered in a few bytes: a new version is seen at the next reload
        response.setHeader("Cache-Control", "no-cache");
        if (isKnown(request.getHeader("If-None-Match"), file.entityTag())) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            return;
        }
        write(response, file.mediaType(), file.bytes(), request.getMethod().equals("HEAD"));
    }

    private static boolean isKnown(@Nullable String header, String entityTag) {
        if (header == null) {
            return false;
        }
        for (String tag : header.split(",", -1)) {
            String known = tag.strip();
            if (known.equals("*") || known.equals(entityTag) || known.equals("W/" + entityTag)) {
                return true;
            }
        }
        return false;
    }

    private static void refuse(HttpServletResponse response, int status, String text) throws IOException {
        response.setStatus(status);
        response.setHeader("Cache-Control", "no-store");
        write(response, "text/plain;charset=utf-8", text.getBytes(java.nio.charset.StandardCharsets.UTF_8), false);
    }

    private static void write(HttpServletResponse response, String mediaType, byte[] bytes, boolean headersOnly)
            throws IOException {
        response.setContentType(mediaType);
        response.setContentLength(bytes.length);
        if (!headersOnly) {
            response.getOutputStream().write(bytes);
        }
    }

    private static void mark(HttpServletResponse response) {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        response.setHeader("Referrer-Policy", "no-referrer");
    }
}
