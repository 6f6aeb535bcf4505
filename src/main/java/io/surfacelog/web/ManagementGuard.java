package io.surfacelog.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;

/**
 * Asks of whoever comes to the management endpoints what the API asks: the token, or to be on this machine under a name of
 * it. For a service whose port has both; where management has a port of its own, nobody but the operator is to reach that.
 *
 * <pre>{@code
 * @Bean
 * FilterRegistrationBean<ManagementGuard> managementGuard(WebProperties properties) {
 *     var guard = new FilterRegistrationBean<>(new ManagementGuard(properties, "/actuator"));
 *     guard.addUrlPatterns("/actuator/*");
 *     return guard;
 * }
 * }</pre>
 *
 * <p>Health is left open, since what probes it has no token; how much of it is shown is for Spring Boot's settings to say.
 */
public final class ManagementGuard extends HttpFilter {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Guard guard;
    private final String health;

    /**
     * A guard.
     *
     * @param basePath where the endpoints are, as {@code management.endpoints.web.base-path} says
     */
    public ManagementGuard(WebProperties properties, String basePath) {
        this.guard = new Guard(properties, false);
        this.health = basePath + "/health";
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        // as the container understood it, which is what the endpoints go by
        String path = request.getServletPath() + (request.getPathInfo() == null ? "" : request.getPathInfo());
        if (!path.equals(health) && !path.startsWith(health + "/")) {
            try {
                guard.check(request);
            } catch (ProblemException e) {
                Guard.mark(response);
                ApiServlet.tell(e.problem(), response);
                return;
            }
        }
        chain.doFilter(request, response);
    }
}
