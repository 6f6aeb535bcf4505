package io.surfacelog.surface;

import static io.surfacelog.testing.LogBuilder.call;
import static io.surfacelog.testing.LogBuilder.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolError;
import io.surfacelog.event.ToolResult;
import io.surfacelog.testing.LogBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A tool result that takes the place of itself with other content. */
class RewriteTest {

    private static final JsonArray SHORT =
            JsonArray.of(List.of(TextBlock.of("short").json()));

    /** 0 assistant, 1 its result with an error, meta and numbers in odd spellings. */
    private static LogBuilder answered() {
        LogBuilder log = log().assistant(call("c1"));
        JsonObject data = log.result("c1")
                .withError(new ToolError("E", "e"))
                .json()
                .with("meta", JsonNumber.ofDigits("1.50"))
                .with("turn", JsonNumber.ofDigits("1.0"));
        return log.append(new ToolResult(data));
    }

    private static ToolResult result(LogBuilder log) {
        return (ToolResult) log.events().get(1).payload();
    }

    @Test
    void with_content_passes_and_is_what_the_model_sees() {
        LogBuilder log = answered();
        log.replace(1, 1, result(log).withContent(SHORT));
        assertThat(log.surface().messages().get(1).json().toText())
                .contains("short")
                .doesNotContain("done");
        assertThat(log.surface().nodeSeqs()).containsExactly(0, 2);
        assertThat(log.surface().findings()).isEmpty();
    }

    @Test
    void a_rewrite_may_be_rewritten_again() {
        LogBuilder log = answered();
        ToolResult once = result(log).withContent(SHORT);
        log.replace(1, 1, once).replace(2, 2, once.withContent(JsonArray.EMPTY));
        assertThat(log.surface().nodeSeqs()).containsExactly(0, 3);
        assertThat(log.surface().generation()).isEqualTo(2);
    }

    @Test
    void equality_is_by_value_so_another_spelling_or_order_is_no_change() {
        LogBuilder log = answered();
        JsonObject json = result(log).withContent(SHORT).json();
        JsonObject.Builder turned = JsonObject.builder();
        for (int i = json.names().size() - 1; i >= 0; i--) {
            String name = json.names().get(i);
            turned.put(name, name.equals("turn") ? JsonNumber.of(1) : json.get(name));
        }
        assertThat(log.replace(1, 1, new ToolResult(turned.build())).surface().nodeSeqs())
                .containsExactly(0, 2);
    }

    @Test
    void any_other_change_is_refused() {
        LogBuilder log = answered();
        JsonObject sound = result(log).withContent(SHORT).json();
        JsonObject message = sound.object("message").orElseThrow();
        JsonObject block = (JsonObject) message.array("content").orElseThrow().get(0);
        for (JsonObject changed : List.of(
                sound.without("meta"),
                sound.with("meta", JsonNumber.ofDigits("1.51")),
                sound.with("extra", Json.of(null)),
                sound.with("turn", Json.of(2)),
                sound.without("error"),
                sound.with("message", message.with("id", Json.of("other"))),
                sound.with(
                        "message",
                        message.with("content", JsonArray.of(List.of(block.with("isError", Json.of(false)))))))) {
            assertThatThrownBy(() -> log.replace(1, 1, new ToolResult(changed)))
                    .as(changed.toText())
                    .isInstanceOfSatisfying(
                            AdmissionException.class,
                            refusal -> assertThat(refusal.rule()).isEqualTo(AdmissionRule.REWRITE_CONTENT_ONLY));
        }
    }
}
