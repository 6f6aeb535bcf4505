package io.surfacelog.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.model.ModelPort;
import io.surfacelog.model.OpenAiModel;
import io.surfacelog.model.ScriptedModel;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A model over HTTP is a bean where its library is there and an endpoint is configured, and nowhere else. */
class OpenAiConfigurationTest {

    private static final String AT = "surfacelog.model.openai.base-url=http://127.0.0.1:1/v1";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SurfacelogAutoConfiguration.class))
            .withPropertyValues("surfacelog.store=memory");

    @Test
    void without_an_endpoint_there_is_no_model() {
        runner.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ModelPort.class));
    }

    @Test
    void with_an_endpoint_there_is_one() {
        runner.withPropertyValues(AT, "surfacelog.model.openai.key-variable=none")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(OpenAiModel.class));
    }

    @Test
    void without_the_library_there_is_none_and_nothing_fails() {
        runner.withPropertyValues(AT)
                .withClassLoader(new FilteredClassLoader("com.openai", "okhttp3", "okio", "kotlin"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ModelPort.class));
    }

    @Test
    void a_model_of_the_application_takes_its_place() {
        runner.withPropertyValues(AT)
                .withBean(ModelPort.class, ScriptedModel::demo)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(ModelPort.class)
                        .doesNotHaveBean(OpenAiModel.class));
    }

    @Test
    void a_setting_that_is_none_stops_the_start_and_says_why() {
        runner.withPropertyValues("surfacelog.model.openai.base-url=ftp://example.org")
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("base URL"));
        runner.withPropertyValues(AT, "surfacelog.model.openai.provider=anthropic")
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("ANTHROPIC"));
    }
}
