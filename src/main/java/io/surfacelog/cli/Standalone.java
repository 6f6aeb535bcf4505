package io.surfacelog.cli;

import io.surfacelog.agent.AgentListener;
import io.surfacelog.agent.AgentNotification;
import io.surfacelog.agent.Agents;
import io.surfacelog.autoconfigure.SurfacelogAutoConfiguration;
import io.surfacelog.autoconfigure.SurfacelogProperties;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.compaction.Compactions;
import io.surfacelog.event.EventLimits;
import io.surfacelog.model.ModelPort;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.projection.SessionVerifier;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreException;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import io.surfacelog.stream.SessionStream;
import io.surfacelog.web.UnprotectedWebException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.unit.DataSize;

/**
 * The library's beans in a process of their own: what every command that uses the store works with. Only what is opened to
 * serve has a web server.
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
            "logging.config", "classpath:io/surfacelog/cli/logback.xml",
            // of no account to a command that serves nothing
            "server.address", "127.0.0.1",
            "surfacelog.web.enabled", "true",
            "surfacelog.web.base-path", "/api",
            "surfacelog.web.page.enabled", "true",
            "surfacelog.web.page.path", "/",
            "spring.lifecycle.timeout-per-shutdown-phase", "5s");

    private static final String REHEARSAL = "rehearsal";

    private final ConfigurableApplicationContext context;

    private Standalone(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /**
     * Opens the store. Cost: the start of a Spring context, about a second.
     *
     * @param database the SQLite file; null for the one that the settings name
     * @param ifAbsent what to do if there is none
     * @throws StoreException if it cannot be used
     */
    static Standalone open(@Nullable Path database, IfAbsent ifAbsent) {
        // nothing else of the class path takes part, least of all a data source of Boot's own
        SpringApplication application = new SpringApplication(SurfacelogAutoConfiguration.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        return run(application, database, ifAbsent);
    }

    /**
     * Opens the store, makes it if there is none, and serves it over HTTP until this is closed or the process is ended.
     *
     * @param database the SQLite file; null for the one that the settings name
     * @param port the port; 0 for a free one, null for the one that the settings name
     * @throws StoreException if the store cannot be used
     * @throws PortTakenException if the port is taken
     */
    static Standalone serve(@Nullable Path database, @Nullable Integer port) {
        SpringApplication application = new SpringApplication(ServeConfiguration.class);
        application.setWebApplicationType(WebApplicationType.SERVLET);
        if (port != null) {
            application.addInitializers(starting -> starting.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource("--port", Map.of("server.port", port))));
        }
        return run(application, database, IfAbsent.CREATE);
    }

    private static Standalone run(SpringApplication application, @Nullable Path database, IfAbsent ifAbsent) {
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setDefaultProperties(SETTINGS);
        if (database != null) {
            // as a path and not as text, which would lose what the locale cannot spell and fill in what looks like ${x}
            Map<String, Object> named = Map.of("surfacelog.store", "sqlite", "surfacelog.sqlite.path", database);
            application.addInitializers(starting ->
                    starting.getEnvironment().getPropertySources().addFirst(new MapPropertySource("--db", named)));
        }
        if (ifAbsent != IfAbsent.CREATE) {
            application.addInitializers(starting -> lookForDatabase(starting.getEnvironment(), ifAbsent));
        }
        try {
            return new Standalone(application.run());
        } catch (RuntimeException e) {
            throw causeWorthTelling(e);
        }
    }

    /** Before any bean is made, since the store makes its file. */
    private static void lookForDatabase(ConfigurableEnvironment environment, IfAbsent ifAbsent) {
        SurfacelogProperties properties =
                Binder.get(environment).bindOrCreate("surfacelog", SurfacelogProperties.class);
        Path file = properties.sqlite().path();
        if (properties.store() != SurfacelogProperties.StoreKind.SQLITE || isThere(file)) {
            return;
        }
        if (ifAbsent == IfAbsent.REFUSE) {
            throw new NoDatabaseException(file);
        }
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(REHEARSAL, Map.of("surfacelog.store", "memory")));
    }

    /** What the store would begin in is no database yet; of everything else the store says more itself. */
    private static boolean isThere(Path file) {
        try {
            return !SqliteEventStore.wouldCreate(SqliteSettings.at(file));
        } catch (StoreException e) {
            return true;
        }
    }

    /** What the store says of itself is the sentence to print, not which bean could not be made because of it. */
    private static RuntimeException causeWorthTelling(RuntimeException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof StoreException || cause instanceof UnprotectedWebException) {
                return (RuntimeException) cause;
            }
            if (cause instanceof PortInUseException taken) {
                return new PortTakenException(taken.getPort(), taken);
            }
        }
        return new IllegalStateException("It could not be started: " + reasons(e), e);
    }

    /** What a setting or an address is wrong about says the innermost cause; which bean wanted it, all the others. */
    private static String reasons(Throwable e) {
        String setting = "";
        String reason = String.valueOf(e.getMessage());
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException bound) {
                setting = "the setting " + bound.getName() + ": ";
            }
            String message = cause.getMessage();
            reason = message == null || message.isBlank() ? reason : message;
        }
        return setting + reason;
    }

    /** Whether this works in memory since there is no database yet. */
    boolean isRehearsal() {
        return context.getEnvironment().getPropertySources().contains(REHEARSAL);
    }

    /** How large an event may be. */
    EventLimits limits() {
        DataSize largest = context.getBean(SurfacelogProperties.class).limits().maxEventBytes();
        return new EventLimits(largest.toBytes());
    }

    SessionCommands commands() {
        return context.getBean(SessionCommands.class);
    }

    SessionQueries queries() {
        return context.getBean(SessionQueries.class);
    }

    /** The live agents of this process. */
    Agents agents() {
        return context.getBean(Agents.class);
    }

    Compactions compactions() {
        return context.getBean(Compactions.class);
    }

    SessionStream stream() {
        return context.getBean(SessionStream.class);
    }

    /** Calls the listener with what is told of live agents from now on. */
    void listen(AgentListener listener) {
        context.addApplicationListener((ApplicationListener<ApplicationEvent>) event -> {
            if (event instanceof PayloadApplicationEvent<?> carrier
                    && carrier.getPayload() instanceof AgentNotification notification) {
                listener.onNotification(notification);
            }
        });
    }

    /** The model that is configured. */
    Optional<ModelPort> model() {
        return Optional.ofNullable(context.getBeanProvider(ModelPort.class).getIfAvailable());
    }

    /** A setting of this process, however it is spelt there. */
    Optional<String> setting(String name) {
        return Optional.ofNullable(
                Binder.get(context.getEnvironment()).bind(name, String.class).orElse(null));
    }

    SessionVerifier verifier() {
        return new SessionVerifier(store(), context.getBean(SurfaceProjection.class));
    }

    EventStore store() {
        return context.getBean(EventStore.class);
    }

    /** Where its API is served; only after {@link #serve}. */
    String address() {
        return origin() + setting("surfacelog.web.base-path").orElse("");
    }

    /** Where its inspector page is, if there is one; only after {@link #serve}. */
    Optional<String> page() {
        return context.containsBean("surfacelogPage")
                ? setting("surfacelog.web.page.path").map(path -> origin() + (path.endsWith("/") ? path : path + "/"))
                : Optional.empty();
    }

    private String origin() {
        int port = Objects.requireNonNull(((WebServerApplicationContext) context).getWebServer())
                .getPort();
        String host = setting("server.address").orElse("127.0.0.1");
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** Waits until the process is told to end, or this thread is interrupted. */
    void awaitEnd() {
        CountDownLatch closed = new CountDownLatch(1);
        context.addApplicationListener((ApplicationListener<ContextClosedEvent>) event -> closed.countDown());
        try {
            boolean ended = !context.isActive();
            while (!ended) {
                // it may have been closed just before it was listened to
                ended = closed.await(1, TimeUnit.SECONDS) || !context.isActive();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Commits what was let in and closes the store. */
    @Override
    public void close() {
        context.close();
    }
}
