package io.surfacelog.web;

import io.surfacelog.event.Json;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers all requests below the base path. A servlet of its own, so that neither the application's converters nor its
 * error pages, nor its idea of a path, take part: what stands in a session is written digit for digit.
 */
final class ApiServlet extends HttpServlet {

    @Serial
    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(ApiServlet.class);

    private final transient List<Route> routes;
    private final transient Guard guard;
    private final transient Problems problems;
    private final String basePath;
    private final long maxBody;

    ApiServlet(List<Route> routes, Guard guard, Problems problems, WebProperties properties) {
        this.problems = problems;
        this.routes = List.copyOf(routes);
        this.guard = guard;
        this.basePath = properties.basePath();
        this.maxBody = properties.maxBody().toBytes();
    }

    /** The operations. */
    List<Route> routes() {
        return routes;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Guard.mark(response);
        try {
            guard.check(request);
            answer(request, response);
        } catch (UncheckedIOException e) {
            broken(Objects.requireNonNull(e.getCause()), response);
        } catch (IOException e) {
            broken(e, response);
        } catch (RuntimeException e) {
            fail(problems.of(e), e, response);
        }
    }

    /** Either the client is gone, and hears nothing more; or it is there, and something else could not be read or written. */
    private void broken(IOException failure, HttpServletResponse response) throws IOException {
        if (response.isCommitted()) {
            throw failure;
        }
        fail(problems.of(failure), failure, response);
    }

    private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        List<String> segments = segments(request);
        List<Route> found =
                routes.stream().filter(route -> route.matches(segments)).toList();
        if (found.isEmpty()) {
            throw Problem.of(
                            ProblemType.UNKNOWN_PATH,
                            "expected a path of this API, as " + basePath + "/openapi.json describes it, found another")
                    .exception();
        }
        Route route = found.stream()
                .filter(one -> one.methods().contains(request.getMethod()))
                .findFirst()
                .orElse(null);
        if (route == null) {
            String allowed = found.stream()
                    .flatMap(one -> one.methods().stream())
                    .collect(Collectors.toCollection(TreeSet::new))
                    .stream()
                    .collect(Collectors.joining(", "));
            response.setHeader("Allow", allowed);
            throw Problem.of(ProblemType.WRONG_METHOD, "expected the method " + allowed + ", found another")
                    .exception();
        }
        String base = request.getContextPath() + basePath;
        route.handler().handle(new Call(request, response, route, segments, base, maxBody));
    }

    /** The raw segments below the base path: taken apart before they are decoded, so that an id may hold a slash. */
    private List<String> segments(HttpServletRequest request) {
        String base = request.getContextPath() + basePath + "/";
        String path = request.getRequestURI();
        if (!path.startsWith(base)) {
            throw Problem.of(ProblemType.UNKNOWN_PATH, "expected a path below " + base + ", found another")
                    .exception();
        }
        List<String> segments = Arrays.asList(path.substring(base.length()).split("/", -1));
        for (String segment : segments) {
            if (segment.indexOf(';') >= 0) {
                throw ProblemException.badRequest("expected no bare ; in the path; in an id it is written as ~003b");
            }
        }
        return segments;
    }

    private static void fail(Problem problem, Exception cause, HttpServletResponse response) throws IOException {
        if (response.isCommitted() && response.getStatus() >= HttpServletResponse.SC_BAD_REQUEST) {
            // the container has given up on a body that was none, and has its own answer
            LOG.debug("an answer of the container: {}", problem.detail());
            return;
        }
        if (response.isCommitted()) {
            // only a connection that breaks off tells the client that this is not all
            LOG.warn("an answer breaks off: {}", problem.detail());
            throw new IOException("an answer breaks off: " + problem.detail(), cause);
        }
        response.resetBuffer();
        response.setHeader("ETag", null);
        tell(problem, response);
    }

    static void tell(Problem problem, HttpServletResponse response) throws IOException {
        response.setStatus(problem.status());
        switch (problem.type()) {
            case UNAUTHORIZED -> response.setHeader("WWW-Authenticate", "Bearer");
            case QUEUE_FULL, STORE_UNAVAILABLE, TOO_MANY_CLIENTS -> response.setHeader("Retry-After", "1");
            default -> {}
        }
        Json json = problem.json();
        Call.write(response, Problem.MEDIA_TYPE, json);
    }
}
