package io.surfacelog.web;

import io.surfacelog.event.JsonObject;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;

/**
 * Has Tomcat tell as a problem, too, what it refuses before any servlet is asked: a URL that is none, two hosts, headers
 * that are too long. For a service that has the container to itself, as that of the executable jar has; an application's
 * error pages are its own.
 *
 * <pre>{@code
 * @Bean
 * ContainerProblems containerProblems() {
 *     return new ContainerProblems();
 * }
 * }</pre>
 *
 * <p>Covers everything that the container answers with an error and without a body, whatever its path. Neither a message of
 * the container nor a stack trace is ever shown.
 */
public final class ContainerProblems implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, Ordered {

    /** Has everything the container answers with an error told as a problem. */
    public ContainerProblems() {}

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        factory.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new Report()));
    }

    /** Behind Spring Boot's own: of two reports the one that was added later writes. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    private static final class Report extends ErrorReportValve {

        @Override
        protected void report(Request request, Response response, @Nullable Throwable failure) {
            int status = response.getStatus();
            if (status < HttpServletResponse.SC_BAD_REQUEST
                    || response.getContentWritten() > 0
                    || !response.setErrorReported()) {
                return;
            }
            byte[] bytes = problem(status).toText().getBytes(StandardCharsets.UTF_8);
            Guard.mark(response);
            response.setContentType(Problem.MEDIA_TYPE);
            response.setContentLength(bytes.length);
            try {
                response.getOutputStream().write(bytes);
                response.finishResponse();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static JsonObject problem(int status) {
            return switch (status) {
                case HttpServletResponse.SC_BAD_REQUEST ->
                    Problem.of(
                                    ProblemType.BAD_REQUEST,
                                    "expected a whole request as HTTP has it, with parameters that can be meant, one"
                                            + " host, headers of at most 8 KB and a URL of percent-encoded UTF-8, found"
                                            + " another; what no server takes in a URL, as a backslash, is written ~005c")
                            .json();
                case HttpServletResponse.SC_NOT_FOUND ->
                    Problem.of(ProblemType.UNKNOWN_PATH, "expected a path that is served here, found another")
                            .json();
                case HttpServletResponse.SC_METHOD_NOT_ALLOWED ->
                    Problem.of(ProblemType.WRONG_METHOD, "expected another method")
                            .json();
                case HttpServletResponse.SC_INTERNAL_SERVER_ERROR ->
                    Problem.of(ProblemType.INTERNAL, "the request failed for a reason that the log of the server names")
                            .json();
                default ->
                    JsonObject.builder()
                            .put("type", "about:blank")
                            .put("status", status)
                            .put("detail", "the server does not take this request")
                            .build();
            };
        }
    }
}
