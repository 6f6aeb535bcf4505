package io.surfacelog.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.autoconfigure.SurfacelogAutoConfiguration;
import io.surfacelog.command.SessionCommands;
import jakarta.servlet.Filter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.core.io.ClassPathResource;

/** When there is an API over HTTP, and when there is none. */
@ExtendWith(OutputCaptureExtension.class)
class WebConfigurationTest {

    private static final AutoConfigurations ALL =
            AutoConfigurations.of(SurfacelogAutoConfiguration.class, SurfacelogWebAutoConfiguration.class);

    private final WebApplicationContextRunner web =
            new WebApplicationContextRunner().withConfiguration(ALL).withPropertyValues("surfacelog.store=memory");

    private final WebApplicationContextRunner enabled =
            web.withPropertyValues("surfacelog.web.enabled=true", "server.address=127.0.0.1");

    @Test
    void an_application_has_no_api_unless_it_asks_for_one() {
        web.run(context -> assertThat(context)
                .hasSingleBean(SessionCommands.class)
                .doesNotHaveBean(ServletRegistrationBean.class)
                .doesNotHaveBean(WebProperties.class));
    }

    @Test
    void one_that_asks_has_it_below_a_path_of_its_own() {
        enabled.run(context -> assertThat(mappings(context)).isEqualTo(Set.of("/surfacelog/api/*")));
        enabled.withPropertyValues("surfacelog.web.base-path=/log")
                .run(context -> assertThat(mappings(context)).isEqualTo(Set.of("/log/*")));
    }

    private static Set<String> mappings(ApplicationContext context) {
        ServletRegistrationBean<?> api = context.getBean("surfacelogApi", ServletRegistrationBean.class);
        return Set.copyOf(api.getUrlMappings());
    }

    @Test
    void the_page_is_there_where_it_is_asked_for_and_its_libraries_are() {
        enabled.withPropertyValues("surfacelog.web.page.enabled=true").run(context -> {
            ServletRegistrationBean<?> page = context.getBean("surfacelogPage", ServletRegistrationBean.class);
            assertThat(Set.copyOf(page.getUrlMappings())).isEqualTo(Set.of("/surfacelog/*"));
        });
        enabled.withPropertyValues("surfacelog.web.page.enabled=true", "surfacelog.web.page.path=/")
                .run(context -> {
                    ServletRegistrationBean<?> page = context.getBean("surfacelogPage", ServletRegistrationBean.class);
                    assertThat(Set.copyOf(page.getUrlMappings())).isEqualTo(Set.of("", "/inspector/*"));
                });
        enabled.run(context -> assertThat(context).doesNotHaveBean("surfacelogPage"));
        web.withPropertyValues("surfacelog.web.page.enabled=true")
                .run(context -> assertThat(context).doesNotHaveBean("surfacelogPage"));
    }

    @Test
    void without_its_libraries_there_is_no_page_and_the_log_says_why(CapturedOutput output) {
        enabled.withPropertyValues("surfacelog.web.page.enabled=true")
                .withClassLoader(new FilteredClassLoader(
                        new ClassPathResource("META-INF/resources/webjars/uplot/1.6.30/dist/uPlot.esm.js")))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasBean("surfacelogApi")
                        .doesNotHaveBean("surfacelogPage"));
        assertThat(output).contains("there is no inspector page", "uPlot.esm.js", "org.webjars.npm:uplot");
    }

    @Test
    void without_a_servlet_container_nothing_is_missed() {
        new ApplicationContextRunner()
                .withConfiguration(ALL)
                .withPropertyValues("surfacelog.store=memory", "surfacelog.web.enabled=true")
                .withClassLoader(new FilteredClassLoader(
                        "jakarta.servlet",
                        "org.apache.tomcat",
                        "org.apache.catalina",
                        "org.springframework.web",
                        "org.springframework.boot.web"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(SessionCommands.class)
                        .doesNotHaveBean(Feed.class));
    }

    @Test
    void an_api_that_all_could_reach_keeps_the_application_from_starting() {
        for (String address : List.of("server.address=", "server.address=0.0.0.0", "server.address=192.0.2.1")) {
            web.withPropertyValues("surfacelog.web.enabled=true")
                    .withPropertyValues(address.endsWith("=") ? "x=y" : address)
                    .run(context -> {
                        assertThat(context).hasFailed();
                        FailureAnalysis analysis =
                                new UnprotectedWebFailureAnalyzer().analyze(context.getStartupFailure());
                        assertThat(analysis).isNotNull();
                        assertThat(analysis.getAction()).contains("surfacelog.web.token");
                    });
        }
    }

    @Test
    void a_chain_of_spring_security_is_protection() {
        web.withPropertyValues("surfacelog.web.enabled=true")
                .withBean(
                        "springSecurityFilterChain",
                        Filter.class,
                        () -> (request, response, chain) -> chain.doFilter(request, response))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(ServletRegistrationBean.class));
    }

    @Test
    void a_setting_that_cannot_be_is_refused() {
        for (String setting : List.of(
                "surfacelog.web.base-path=/",
                "surfacelog.web.base-path=api",
                "surfacelog.web.base-path=/a/*",
                "surfacelog.web.token=short",
                "surfacelog.web.token=0123456789 abcdef",
                "surfacelog.web.page.path=page",
                "surfacelog.web.page.path=/a/../b",
                "surfacelog.web.max-body=1B",
                "surfacelog.web.max-import=0",
                "surfacelog.web.feed.heartbeat=1ms",
                "surfacelog.web.feed.max-clients=0",
                "surfacelog.web.feed.max-behind=1B")) {
            enabled.withPropertyValues(setting).run(context -> {
                assertThat(context).as(setting).hasFailed();
                assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("surfacelog.web");
            });
        }
    }
}
