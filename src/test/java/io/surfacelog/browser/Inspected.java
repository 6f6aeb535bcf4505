package io.surfacelog.browser;

import io.surfacelog.autoconfigure.SurfacelogAutoConfiguration;
import io.surfacelog.command.ImportSession;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.web.SurfacelogWebAutoConfiguration;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Configuration;

/** A service with the inspector page, on a port of its own, and what its agents do. */
final class Inspected implements AutoCloseable {

    private final ServletWebServerApplicationContext context;

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        SurfacelogAutoConfiguration.class,
        SurfacelogWebAutoConfiguration.class,
        TomcatServletWebServerAutoConfiguration.class
    })
    static class Application {}

    private Inspected(ServletWebServerApplicationContext context) {
        this.context = context;
    }

    /** A service over a database in this directory, with settings as name=value besides. */
    static Inspected in(Path directory, String... settings) {
        Map<String, Object> all = new HashMap<>(Map.of(
                "surfacelog.web.enabled", "true",
                "surfacelog.web.page.enabled", "true",
                "surfacelog.web.page.path", "/",
                "server.address", "127.0.0.1",
                "server.port", "0",
                "surfacelog.sqlite.path", directory.resolve("inspected.db")));
        for (String setting : settings) {
            String[] parts = setting.split("=", 2);
            all.put(parts[0], parts[1]);
        }
        SpringApplication application = new SpringApplication(Application.class);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(all);
        return new Inspected((ServletWebServerApplicationContext) application.run());
    }

    SessionCommands commands() {
        return context.getBean(SessionCommands.class);
    }

    SessionQueries queries() {
        return context.getBean(SessionQueries.class);
    }

    /** Where the page is, with what stands behind the number sign. */
    String page(String hash) {
        return "http://127.0.0.1:" + context.getWebServer().getPort() + "/" + (hash.isEmpty() ? "" : "#" + hash);
    }

    /** Takes over a log. */
    SessionId importLog(SessionHeader header, Iterator<EventCandidate> log) {
        commands().importLog(new ImportSession(header, log, EventTypes.any()));
        return header.id();
    }

    @Override
    public void close() {
        context.close();
    }
}
