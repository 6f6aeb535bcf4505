package io.surfacelog.autoconfigure;

import io.surfacelog.agent.AgentHooks;
import io.surfacelog.agent.AgentListener;
import io.surfacelog.agent.Agents;
import io.surfacelog.agent.BeforeStep;
import io.surfacelog.agent.ContextProvider;
import io.surfacelog.agent.InputCheck;
import io.surfacelog.command.CommandInterceptor;
import io.surfacelog.command.CommandObserver;
import io.surfacelog.command.CommandSettings;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.EventTypeDeclaration;
import io.surfacelog.event.EventTypes;
import io.surfacelog.model.ModelInterceptor;
import io.surfacelog.model.ModelPort;
import io.surfacelog.model.OpenAiModel;
import io.surfacelog.projection.QueryObserver;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.memory.MemoryEventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.stream.EventDispatcher;
import io.surfacelog.stream.SessionEventListener;
import io.surfacelog.stream.SessionStream;
import io.surfacelog.surface.RecoverySettings;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Wires Surfacelog: one store, one projection, commands and queries over them. Every bean steps back for one of the
 * application's; none is a {@code DataSource}, and nothing the application declares is used unasked.
 */
@AutoConfiguration
@EnableConfigurationProperties(SurfacelogProperties.class)
@Import(CompactionConfiguration.class)
public class SurfacelogAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    EventStore surfacelogEventStore(SurfacelogProperties properties) {
        return switch (properties.store()) {
            case SQLITE -> SqliteEventStore.open(properties.sqlite().settings());
            case MEMORY -> MemoryEventStore.create();
        };
    }

    @Bean
    @ConditionalOnMissingBean
    SurfaceProjection surfacelogProjection(
            EventStore store, SurfacelogProperties properties, ObjectProvider<EventTypeDeclaration> declarations) {
        // recorded first, so that this and every later reader can load what may be appended
        store.declare(types(declarations));
        return new SurfaceProjection(store, properties.projectionSettings());
    }

    @Bean
    @ConditionalOnMissingBean
    EventDispatcher surfacelogDispatcher(EventStore store, SurfacelogProperties properties) {
        return new EventDispatcher(store, properties.listeners().bufferSize());
    }

    @Bean
    SmartInitializingSingleton surfacelogListenerStart(
            EventDispatcher dispatcher,
            ObjectProvider<SessionEventListener> listeners,
            SurfacelogProperties properties,
            ConfigurableApplicationContext context) {
        // last of all, since listeners may depend on the commands, which depend on the dispatcher
        return () -> {
            List<SessionEventListener> all =
                    new ArrayList<>(listeners.orderedStream().toList());
            if (ApplicationEventFeed.isWanted(properties.stream().applicationEvents(), context)) {
                all.add(new ApplicationEventFeed(context));
            }
            dispatcher.start(all);
        };
    }

    @Bean
    @ConditionalOnMissingBean
    SessionStream sessionStream(EventStore store, EventDispatcher dispatcher, SurfacelogProperties properties) {
        return SessionStream.of(store, dispatcher, properties.stream().settings());
    }

    @Bean
    @ConditionalOnMissingBean
    SessionCommands sessionCommands(
            EventStore store,
            SurfaceProjection projection,
            EventDispatcher dispatcher,
            SurfacelogProperties properties,
            ObjectProvider<EventTypeDeclaration> declarations,
            ObjectProvider<CommandInterceptor> interceptors,
            ObjectProvider<CommandObserver> observers) {
        SurfacelogProperties.Recovery recovery = properties.recovery();
        CommandSettings settings = new CommandSettings(
                EventTypes.standard().with(types(declarations)),
                properties.limits().eventLimits(),
                properties.structure(),
                new RecoverySettings(recovery.salvageStreamedText(), recovery.answerOrphanedCalls()),
                properties.queue().settings(),
                properties.lease().settings());
        return SessionCommands.of(
                store,
                projection,
                dispatcher,
                settings,
                interceptors.orderedStream().toList(),
                Clock.systemUTC(),
                CommandObserver.all(observers.orderedStream().toList()));
    }

    @Bean
    @ConditionalOnMissingBean
    SessionQueries sessionQueries(
            EventStore store, SurfaceProjection projection, ObjectProvider<QueryObserver> observers) {
        return SessionQueries.of(
                store, projection, QueryObserver.all(observers.orderedStream().toList()));
    }

    @Bean
    @ConditionalOnMissingBean
    Agents surfacelogAgents(
            SessionCommands commands,
            SessionQueries queries,
            SurfacelogProperties properties,
            ObjectProvider<BeforeStep> beforeStep,
            ObjectProvider<InputCheck> inputChecks,
            ObjectProvider<ContextProvider> context,
            ObjectProvider<ModelInterceptor> models,
            ObjectProvider<AgentListener> listeners,
            ApplicationEventPublisher publisher) {
        List<AgentListener> all = new ArrayList<>(listeners.orderedStream().toList());
        all.add(publisher::publishEvent);
        AgentHooks hooks = new AgentHooks(
                beforeStep.orderedStream().toList(),
                inputChecks.orderedStream().toList(),
                context.orderedStream().toList(),
                models.orderedStream().toList(),
                all);
        return Agents.of(commands, queries, hooks, properties.agents().maxToolRuns());
    }

    /** Where the client library is there and an endpoint is configured. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = {"com.openai.client.OpenAIClientImpl", "okhttp3.OkHttpClient"})
    @ConditionalOnProperty("surfacelog.model.openai.base-url")
    @EnableConfigurationProperties(OpenAiProperties.class)
    static class OpenAi {

        @Bean
        @ConditionalOnMissingBean(ModelPort.class)
        OpenAiModel surfacelogOpenAiModel(OpenAiProperties properties) {
            return OpenAiModel.of(properties.settings());
        }
    }

    private static List<String> types(ObjectProvider<EventTypeDeclaration> declarations) {
        return declarations.orderedStream().map(EventTypeDeclaration::type).toList();
    }
}
