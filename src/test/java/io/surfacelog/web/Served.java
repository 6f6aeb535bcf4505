package io.surfacelog.web;

import io.surfacelog.autoconfigure.SurfacelogAutoConfiguration;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.store.EventStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Configuration;

/** The API in a real server on a port of its own, and what a client of it needs. */
final class Served implements AutoCloseable {

    static final String BASE = "/surfacelog/api";

    private final ServletWebServerApplicationContext context;
    final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        SurfacelogAutoConfiguration.class,
        SurfacelogWebAutoConfiguration.class,
        TomcatServletWebServerAutoConfiguration.class
    })
    static class Application {}

    private Served(ServletWebServerApplicationContext context) {
        this.context = context;
    }

    /** A server over a database in this directory, with settings as name=value besides. */
    static Served in(Path directory, String... settings) {
        return in(directory, new Class<?>[] {Application.class}, settings);
    }

    static Served in(Path directory, Class<?>[] sources, String... settings) {
        Map<String, Object> all = new HashMap<>(Map.of(
                "surfacelog.web.enabled", "true",
                "server.address", "127.0.0.1",
                "server.port", "0",
                "surfacelog.sqlite.path", directory.resolve("served.db")));
        for (String setting : settings) {
            String[] parts = setting.split("=", 2);
            all.put(parts[0], parts[1]);
        }
        SpringApplication application = new SpringApplication(sources);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(all);
        return new Served((ServletWebServerApplicationContext) application.run());
    }

    SessionCommands commands() {
        return context.getBean(SessionCommands.class);
    }

    SessionQueries queries() {
        return context.getBean(SessionQueries.class);
    }

    EventStore store() {
        return context.getBean(EventStore.class);
    }

    /** The operations that the server has. */
    List<Route> routes() {
        return ((ApiServlet) context.getBean("surfacelogApi", ServletRegistrationBean.class)
                        .getServlet())
                .routes();
    }

    int port() {
        return context.getWebServer().getPort();
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port() + BASE + path);
    }

    /** A response whose body is JSON, or no body. */
    record Answer(int status, String text, HttpResponse<byte[]> response) {

        JsonObject json() {
            return (JsonObject) Json.parse(text);
        }

        /** The last word of the type of a problem. */
        String problem() {
            return json().string("type").orElse("none").replace("urn:surfacelog:problem:", "");
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }
    }

    Answer send(HttpRequest request) {
        try {
            HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), new String(response.body(), StandardCharsets.UTF_8), response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    Answer get(String path, String... headers) {
        return send(request(path, headers).GET().build());
    }

    Answer delete(String path) {
        return send(request(path).DELETE().build());
    }

    Answer post(String path, String json, String... headers) {
        return send(request(path, headers)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build());
    }

    HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    @Override
    public void close() {
        context.close();
    }
}
