package io.surfacelog.actuate;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import io.surfacelog.autoconfigure.SurfacelogAutoConfiguration;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.compaction.TokenMeter;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.projection.SessionVerifier;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventStore;
import io.surfacelog.stream.EventDispatcher;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Wires what an operator sees, as far as the application has what it is shown with: health, the actuator's endpoints,
 * Micrometer. Whether an endpoint is exposed is for Spring Boot's own settings to say.
 */
@AutoConfiguration(
        after = SurfacelogAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.session.autoconfigure.SessionsEndpointAutoConfiguration"
        })
@ConditionalOnBean({EventStore.class, SessionCommands.class, SurfaceProjection.class})
public class ActuateAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DamagedSessions surfacelogDamagedSessions() {
        return new DamagedSessions();
    }

    /** Where Spring Boot's health is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    @EnableConfigurationProperties(HealthProperties.class)
    static class StoreHealthConfiguration {

        /** The name of the bean is the name in the answer. */
        @Bean
        @ConditionalOnMissingBean(name = "surfacelogHealthIndicator")
        @ConditionalOnEnabledHealthIndicator("surfacelog")
        StoreHealth surfacelogHealthIndicator(
                EventStore store,
                SessionCommands commands,
                SurfaceProjection projection,
                DamagedSessions damaged,
                HealthProperties properties) {
            return new StoreHealth(store, commands, projection, damaged, properties, Clock.systemUTC());
        }
    }

    /** Where the actuator is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    @EnableConfigurationProperties(InspectProperties.class)
    static class Endpoints {

        /** Spring Session has an endpoint of this name: where the application has it, ours steps back. */
        @Bean
        @ConditionalOnAvailableEndpoint
        @ConditionalOnMissingBean(name = "sessionEndpoint")
        SessionsEndpoint surfacelogSessionsEndpoint(
                EventStore store, SessionQueries queries, DamagedSessions damaged, InspectProperties inspect) {
            return new SessionsEndpoint(
                    queries, new SessionSurvey(store, queries, Clock.systemUTC()), damaged, inspect);
        }

        @Bean
        @ConditionalOnAvailableEndpoint
        SurfaceEndpoint surfacelogSurfaceEndpoint(SessionQueries queries, TokenMeter meter, InspectProperties inspect) {
            return new SurfaceEndpoint(queries, meter, inspect);
        }

        @Bean
        @ConditionalOnAvailableEndpoint
        SessionLogEndpoint surfacelogSessionLogEndpoint(
                EventStore store, SessionQueries queries, InspectProperties inspect) {
            return new SessionLogEndpoint(store, queries, inspect);
        }

        @Bean
        @ConditionalOnAvailableEndpoint
        ProvenanceEndpoint surfacelogProvenanceEndpoint(SessionQueries queries, InspectProperties inspect) {
            return new ProvenanceEndpoint(queries, inspect);
        }

        @Bean
        @ConditionalOnAvailableEndpoint
        VerifyEndpoint surfacelogVerifyEndpoint(
                EventStore store, SurfaceProjection projection, DamagedSessions damaged, InspectProperties inspect) {
            return new VerifyEndpoint(store, new SessionVerifier(store, projection), damaged, inspect);
        }
    }

    /** Where Micrometer is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Meters {

        @Bean
        @ConditionalOnMissingBean
        ProjectionMeters surfacelogProjectionMeters(SurfaceProjection projection) {
            return new ProjectionMeters(projection);
        }

        @Bean
        @ConditionalOnMissingBean
        WriterMeters surfacelogWriterMeters(
                SessionCommands commands, EventDispatcher dispatcher, DamagedSessions damaged) {
            return new WriterMeters(commands, dispatcher, damaged);
        }
    }

    /** Where there is a registry of meters. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    static class Registered {

        @Bean
        @ConditionalOnMissingBean
        CommandMeters surfacelogCommandMeters(MeterRegistry registry) {
            return new CommandMeters(registry);
        }

        @Bean
        @ConditionalOnMissingBean
        QueryMeters surfacelogQueryMeters(MeterRegistry registry) {
            return new QueryMeters(registry);
        }
    }

    /** Where there is a registry of observations. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ObservationRegistry.class, MeterRegistry.class})
    @ConditionalOnBean(ObservationRegistry.class)
    static class Observations {

        @Bean
        @ConditionalOnMissingBean
        CommandObservations surfacelogCommandObservations(ObservationRegistry registry) {
            return new CommandObservations(registry);
        }

        @Bean
        @ConditionalOnMissingBean
        ModelObservations surfacelogModelObservations(
                ObservationRegistry registry, ObjectProvider<MeterRegistry> meters) {
            return new ModelObservations(registry, meters);
        }
    }
}
