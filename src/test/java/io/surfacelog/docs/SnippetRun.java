package io.surfacelog.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.autoconfigure.SurfacelogAutoConfiguration;
import io.surfacelog.cli.Surfacelog;
import io.surfacelog.command.CreateSession;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.UserMessage;
import io.surfacelog.model.ModelPort;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.transfer.JsonlLine;
import io.surfacelog.transfer.JsonlReader;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * Runs what a page shows in an application that keeps its sessions in memory and has a model that is a script. The session
 * of the page is the bundled one, or an empty one.
 */
record SnippetRun(Class<?> snippet, boolean empty) {

    /** What statements may name. */
    static final String PARAMETERS =
            "SessionCommands commands, SessionQueries queries, Agents agents, SessionStream stream," + " SessionId id";

    /** Runs the method {@code run} of the snippet, which must not throw. */
    void statements() {
        application().run(context -> {
            Constructor<?> constructor = snippet.getDeclaredConstructor();
            constructor.setAccessible(true);
            Method run = Arrays.stream(snippet.getDeclaredMethods())
                    .filter(method -> method.getName().equals("run"))
                    .findFirst()
                    .orElseThrow();
            run.setAccessible(true);
            SessionId id = session(context);
            Object[] arguments = Arrays.stream(run.getParameterTypes())
                    .map(type -> type == SessionId.class ? id : context.getBean(type))
                    .toArray();
            try {
                run.invoke(constructor.newInstance(), arguments);
            } catch (InvocationTargetException e) {
                throw new AssertionError("expected the snippet to run, found " + e.getCause(), e.getCause());
            }
        });
    }

    /** Starts an application with the beans of the snippet and puts it to some use. */
    void beans() {
        application().withUserConfiguration(snippet).run(context -> {
            assertThat(context).hasNotFailed();
            List<String> declared = Arrays.stream(snippet.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(Bean.class))
                    .map(Method::getName)
                    .toList();
            assertThat(declared).isNotEmpty().allMatch(context::containsBean);
            SessionId id = session(context);
            context.getBean(SessionCommands.class).append(id, UserMessage.of("And now?"), SurfaceIntent.append());
            assertThat(context.getBean(SessionQueries.class).messages(id)).isNotEmpty();
        });
    }

    private ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withClassLoader(snippet.getClassLoader())
                .withConfiguration(AutoConfigurations.of(SurfacelogAutoConfiguration.class))
                .withPropertyValues("surfacelog.store=memory")
                .withBean(ModelPort.class, ScriptedModel::demo);
    }

    private SessionId session(ApplicationContext context) throws IOException {
        SessionCommands commands = context.getBean(SessionCommands.class);
        if (empty) {
            return commands.create(SessionHeader.builder().build());
        }
        List<EventCandidate> events = new ArrayList<>();
        try (JsonlReader reader = JsonlReader.open(
                Objects.requireNonNull(Surfacelog.class.getResourceAsStream("sample-session.jsonl")),
                EventLimits.defaults())) {
            for (JsonlLine line = reader.next(); line != null; line = reader.next()) {
                events.addAll(line.events());
            }
            SessionId id = reader.header().id();
            commands.create(CreateSession.imported(reader.header(), events, EventTypes.standard()));
            commands.recover(id);
            return id;
        }
    }
}
