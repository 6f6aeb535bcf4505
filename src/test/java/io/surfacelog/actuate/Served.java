package io.surfacelog.actuate;

import io.surfacelog.autoconfigure.SurfacelogAutoConfiguration;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.projection.SessionQueries;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application with a real server on a port of its own, and a client to it. */
final class Served implements AutoCloseable {

    private static final String USER = "X-User";

    /** Everything on the class path; whoever names a user in a header is that user, and has the role of the same name. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Filter login() {
            return (request, response, chain) -> chain.doFilter(new LoggedIn((HttpServletRequest) request), response);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({SurfacelogAutoConfiguration.class, TomcatServletWebServerAutoConfiguration.class})
    @Import(StandaloneActuator.class)
    static class Standalone {}

    private static final class LoggedIn extends HttpServletRequestWrapper {

        LoggedIn(HttpServletRequest request) {
            super(request);
        }

        @Override
        public Principal getUserPrincipal() {
            String user = getHeader(USER);
            return user == null ? null : () -> user;
        }

        @Override
        public boolean isUserInRole(String role) {
            return role.equals(getHeader(USER));
        }
    }

    private final ConfigurableApplicationContext context;
    private final HttpClient client = HttpClient.newHttpClient();

    private Served(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static Served start(Path database, String... settings) {
        return start(Application.class, database, settings);
    }

    /** As the executable jar is wired: no auto-configuration but what is named. */
    static Served startStandalone(Path database, String... settings) {
        return start(Standalone.class, database, settings);
    }

    private static Served start(Class<?> configuration, Path database, String... settings) {
        SpringApplication application = new SpringApplication(configuration);
        application.setWebApplicationType(WebApplicationType.SERVLET);
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                "--surfacelog.sqlite.path=" + database));
        for (String setting : settings) {
            arguments.add("--" + setting);
        }
        return new Served(application.run(arguments.toArray(String[]::new)));
    }

    SessionCommands commands() {
        return context.getBean(SessionCommands.class);
    }

    SessionQueries queries() {
        return context.getBean(SessionQueries.class);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** An answer. */
    record Answer(int status, String body) {

        JsonObject json() {
            return (JsonObject) Json.parse(body);
        }
    }

    Answer get(String path) throws Exception {
        return send(HttpRequest.newBuilder(uri(path)));
    }

    /** From the port of its own that management has. */
    Answer management(String path) throws Exception {
        String port = context.getEnvironment().getProperty("local.management.port");
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)));
    }

    Answer getAs(String user, String path) throws Exception {
        return send(HttpRequest.newBuilder(uri(path)).header(USER, user));
    }

    Answer post(String path, String body) throws Exception {
        return send(HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.body());
    }

    private URI uri(String path) {
        int port = ((WebServerApplicationContext) context).getWebServer().getPort();
        return URI.create("http://127.0.0.1:" + port + path);
    }

    @Override
    public void close() {
        context.close();
    }
}
