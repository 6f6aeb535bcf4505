package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.testing.LogBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code check --provider} and {@code messages --provider}. */
class ProviderOptionTest {

    @TempDir
    Path folder;

    private Path brokenOff() {
        LogBuilder log = LogBuilder.log()
                .turnStart(1)
                .user("hi")
                .stepStart(1)
                .assistant(LogBuilder.call("c1"))
                .toolCall("c1");
        return LogFile.of("s", log.events()).in(folder);
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "deepseek"})
    void check_says_what_was_adjusted_and_that_the_request_is_accepted(String provider) {
        CommandRun run =
                CommandRun.of("check", "--provider", provider, brokenOff().toString());

        JsonObject request = run.answer().object("request").orElseThrow();
        assertThat(request.string("provider")).contains(provider);
        assertThat(request.isTrue("ok")).isTrue();
        assertThat(request.get("violations")).isEqualTo(Json.parse("[]"));
        assertThat(request.toText()).contains("{\"rule\":\"result.missing\",\"seq\":3,\"detail\":\"found no result of");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void check_without_a_provider_speaks_of_no_request() {
        assertThat(CommandRun.of("check", brokenOff().toString()).answer().has("request"))
                .isFalse();
        assertThat(CommandRun.of("check", "--provider", "nobody", brokenOff().toString())
                        .exitCode())
                .isEqualTo(2);
    }

    @Test
    void messages_prints_the_request_and_tells_what_was_adjusted_beside_it() {
        Cli cli = Cli.in(folder);
        cli.done("import", brokenOff());

        CommandRun run = cli.done("messages", "s", "--provider", "openai");

        assertThat(run.answer().array("messages").orElseThrow().size()).isEqualTo(3);
        assertThat(run.err())
                .contains("adjusted for openai: result.missing at event 3: found no result of call \"c1\"")
                .endsWith(".\n");
    }

    @Test
    void messages_as_of_an_event_and_as_JSON_hold_the_adjustments() {
        Cli cli = Cli.in(folder);
        cli.done("import", brokenOff());

        CommandRun run = cli.done("messages", "s", "--provider", "anthropic", "--as-of", 1, "--json");

        assertThat(run.err()).isEmpty();
        JsonObject answer = run.answer();
        assertThat(answer.object("request").flatMap(request -> request.array("messages")))
                .contains((io.surfacelog.event.JsonArray)
                        Json.parse("[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}]"));
        assertThat(answer.toText()).contains("max-tokens.default").doesNotContain("result.missing");
        assertThat(answer.get("toolNames")).isEqualTo(JsonObject.EMPTY);
    }
}
