package io.surfacelog.cli;

import io.surfacelog.actuate.StandaloneActuator;
import io.surfacelog.autoconfigure.SurfacelogAutoConfiguration;
import io.surfacelog.web.ContainerProblems;
import io.surfacelog.web.ManagementGuard;
import io.surfacelog.web.SurfacelogWebAutoConfiguration;
import io.surfacelog.web.WebProperties;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** The library, a servlet container, and what stands between them: nothing else of the class path takes part. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    SurfacelogAutoConfiguration.class,
    SurfacelogWebAutoConfiguration.class,
    TomcatServletWebServerAutoConfiguration.class
})
@Import(StandaloneActuator.class)
class ServeConfiguration {

    /** Nothing else lives in this container, so that nobody else's error pages are taken. */
    @Bean
    ContainerProblems containerProblems() {
        return new ContainerProblems();
    }

    /** On the port of the API, the management endpoints ask for the same. */
    @Bean
    FilterRegistrationBean<ManagementGuard> managementGuard(WebProperties properties, Environment environment) {
        String basePath = environment.getProperty("management.endpoints.web.base-path", "/actuator");
        FilterRegistrationBean<ManagementGuard> guard =
                new FilterRegistrationBean<>(new ManagementGuard(properties, basePath));
        guard.addUrlPatterns(basePath, basePath + "/*");
        return guard;
    }

    /** A slash of an id may also be spelt %2F: no other server stands before this one. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> encodedSlashes() {
        return factory -> factory.addConnectorCustomizers(
                connector -> connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue()));
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> leanConnections() {
        return new LeanConnections();
    }
}
