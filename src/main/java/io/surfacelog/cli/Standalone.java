package io.surfacelog.cli;

import io.surfacelog.autoconfigure.SurfacelogAutoConfiguration;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.projection.SessionVerifier;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The library's beans in a process of their own, without a web server: what every command that uses the store works with.
 *
 * <pre>{@code
 * try (Standalone standalone = Standalone.open(file)) {
 *     standalone.queries().messages(id);
 * }
 * }</pre>
 *
 * <p>Wired by the same configuration as an application's, and set up the same way: by the environment, or by a file {@code
 * surfacelog.properties} or {@code surfacelog.yaml} in the working directory. Standard output is the command's alone;
 * warnings go to standard error.
 */
final class Standalone implements AutoCloseable {

    private static final Map<String, Object> SETTINGS = Map.of(
            "spring.config.name", "surfacelog",
            "logging.config", "classpath:io/surfacelog/cli/logback.xml");

    private final ConfigurableApplicationContext context;

    private Standalone(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /**
     * Opens the store. Cost: the start of a Spring context, about a second.
     *
     * @param database the SQLite file, made if there is none; null for the one that the settings name
     * @throws StoreException if it cannot be used
     */
    static Standalone open(@Nullable Path database) {
        // nothing else of the class path takes part, least of all a data source of Boot's own
        SpringApplication application = new SpringApplication(SurfacelogAutoConfiguration.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setDefaultProperties(SETTINGS);
        List<String> arguments = new ArrayList<>();
        if (database != null) {
            arguments.add("--surfacelog.store=sqlite");
            arguments.add("--surfacelog.sqlite.path=" + database);
        }
        try {
            return new Standalone(application.run(arguments.toArray(String[]::new)));
        } catch (RuntimeException e) {
            throw causeWorthTelling(e);
        }
    }

    /** What the store says of itself is the sentence to print, not which bean could not be made because of it. */
    private static RuntimeException causeWorthTelling(RuntimeException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof StoreException fromStore) {
                return fromStore;
            }
        }
        return e;
    }

    SessionCommands commands() {
        return context.getBean(SessionCommands.class);
    }

    SessionQueries queries() {
        return context.getBean(SessionQueries.class);
    }

    SessionVerifier verifier() {
        return new SessionVerifier(store(), context.getBean(SurfaceProjection.class));
    }

    EventStore store() {
        return context.getBean(EventStore.class);
    }

    /** Commits what was let in and closes the store. */
    @Override
    public void close() {
        context.close();
    }
}
