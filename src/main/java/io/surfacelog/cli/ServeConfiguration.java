package io.surfacelog.cli;

import io.surfacelog.autoconfigure.SurfacelogAutoConfiguration;
import io.surfacelog.web.SurfacelogWebAutoConfiguration;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The library, a servlet container, and what stands between them: nothing else of the class path takes part. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    SurfacelogAutoConfiguration.class,
    SurfacelogWebAutoConfiguration.class,
    TomcatServletWebServerAutoConfiguration.class
})
class ServeConfiguration {

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
