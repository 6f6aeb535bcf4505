package io.surfacelog.web;

import io.surfacelog.autoconfigure.SurfacelogAutoConfiguration;
import io.surfacelog.autoconfigure.SurfacelogProperties;
import io.surfacelog.command.CommandInterceptor;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.compaction.Compactions;
import io.surfacelog.compaction.TokenMeter;
import io.surfacelog.compaction.ToolResultPruner;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventTypeDeclaration;
import io.surfacelog.event.EventTypes;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.projection.SessionVerifier;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventStore;
import io.surfacelog.stream.SessionStream;
import jakarta.servlet.Servlet;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

/** Sessions over HTTP, in a servlet of their own, where {@code surfacelog.web.enabled} asks for it. */
@AutoConfiguration(after = SurfacelogAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Servlet.class, ServletRegistrationBean.class})
@ConditionalOnProperty("surfacelog.web.enabled")
@EnableConfigurationProperties(WebProperties.class)
public class SurfacelogWebAutoConfiguration {

    /** The filter by which Spring Security stands before everything. */
    private static final String SECURITY_FILTER = "springSecurityFilterChain";

    @Bean(destroyMethod = "stop") // also of a context that never came to start it
    Feed surfacelogFeed(EventStore store, SessionStream stream, WebProperties properties) {
        return new Feed(store, stream, properties.feed());
    }

    @Bean
    CommandInterceptor surfacelogFeedRemovals(ObjectProvider<Feed> feed) {
        return new RemovalWatch(() -> feed.ifAvailable(Feed::lookForRemovals));
    }

    @Bean
    ServletRegistrationBean<ApiServlet> surfacelogApi(
            SessionCommands commands,
            SessionQueries queries,
            EventStore store,
            SurfaceProjection projection,
            Feed feed,
            Compactions compactions,
            ToolResultPruner pruner,
            TokenMeter meter,
            SurfacelogProperties library,
            WebProperties properties,
            ObjectProvider<EventTypeDeclaration> declarations,
            ApplicationContext context) {
        boolean secured = context.containsBean(SECURITY_FILTER);
        requireProtection(properties, secured, context.getEnvironment());
        EventLimits limits = new EventLimits(library.limits().maxEventBytes().toBytes());
        EventTypes types = EventTypes.standard()
                .with(declarations
                        .orderedStream()
                        .map(EventTypeDeclaration::type)
                        .toList());
        SessionVerifier verifier = new SessionVerifier(store, projection);
        List<Route> routes = new ArrayList<>();
        routes.addAll(new OpenApi().routes());
        routes.addAll(new SessionOperations(commands, queries, store, verifier, limits, Clock.systemUTC()).routes());
        routes.addAll(new EventOperations(commands, queries, store, limits, types).routes());
        routes.addAll(new ViewOperations(queries).routes());
        routes.addAll(new TimelineOperations(queries, store, meter.estimator()).routes());
        routes.addAll(new CompactionOperations(queries, compactions, pruner, meter).routes());
        routes.addAll(new TransferOperations(
                        commands, store, limits, properties.maxImport().toBytes())
                .routes());
        routes.addAll(
                new FeedOperations(feed, store, properties.feed().maxBehind().toBytes()).routes());
        ServletRegistrationBean<ApiServlet> registration = new ServletRegistrationBean<>(
                new ApiServlet(routes, new Guard(properties, secured), new Problems(store), properties),
                properties.basePath() + "/*");
        registration.setName("surfacelogApi");
        registration.setLoadOnStartup(1);
        return registration;
    }

    @Bean
    @ConditionalOnProperty("surfacelog.web.page.enabled")
    @Conditional(OnWebJars.class)
    ServletRegistrationBean<PageServlet> surfacelogPage(WebProperties properties) {
        String directory = properties.page().directory();
        ServletRegistrationBean<PageServlet> registration = new ServletRegistrationBean<>(
                new PageServlet(PageFiles.load(properties), directory), PageServlet.mappings(directory));
        registration.setName("surfacelogPage");
        return registration;
    }

    private static void requireProtection(WebProperties properties, boolean secured, Environment environment) {
        String address = environment.getProperty("server.address", "every address of this machine");
        if (properties.token() == null && !secured && !properties.allowUnprotected() && !isLoopback(address)) {
            throw new UnprotectedWebException(address);
        }
    }

    private static boolean isLoopback(String address) {
        try {
            return !address.contains(" ") && InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
