package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.EventType;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonText;
import io.surfacelog.event.LogOnlyPayload;
import io.surfacelog.event.Message;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCall;
import io.surfacelog.event.ToolError;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.UserMessage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a chat shows of the events it hears. */
class TurnViewTest {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PlainScreen screen =
            new PlainScreen(new Output(new PrintStream(printed, true, StandardCharsets.UTF_8)));
    private final TurnView view = new TurnView(screen, "main");
    private final OtherTurns others = new OtherTurns(screen);
    private long seq;

    private SessionEvent event(LogOnlyPayload payload) {
        return SessionEvent.of(seq++, 0, payload.type(), JsonText.of(payload.json()), null, false);
    }

    private SessionEvent event(SurfacePayload payload) {
        return SessionEvent.of(seq++, 0, payload.type(), JsonText.of(payload.json()), SurfaceIntent.append(), false);
    }

    private void text(String piece) {
        view.show(event(AssistantChunk.of(1, 1, StreamChunk.text(0, piece))));
    }

    private void said(String text) {
        view.show(event(AssistantMessage.of(1, 1, Message.assistant("p", "m", TextBlock.of(text)))));
    }

    private String shown() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void text_is_shown_as_it_comes_and_not_again_when_it_is_complete() {
        view.show(event(TurnStart.of(1)));
        text("It is ");
        assertThat(shown()).isEqualTo("[main turn 1]\nIt is ");
        text("noon.");
        said("It is noon.");
        view.show(event(StepEnd.of(1, 1)));
        view.show(event(TurnEnd.of(1, TurnEndReason.completed())));
        view.show(event(TurnStart.of(2)));
        assertThat(shown()).isEqualTo("[main turn 1]\nIt is noon.\n[main turn 2]\n");
    }

    @Test
    void a_message_that_was_not_streamed_is_shown_whole() {
        said("It is noon.\nOr later.");
        view.show(event(TurnEnd.of(1, TurnEndReason.aborted("user"))));
        assertThat(shown()).isEqualTo("It is noon.\nOr later.\n(turn 1 aborted by user)\n");
    }

    @Test
    void an_attempt_that_failed_is_told_and_the_next_one_shown_anew() {
        text("It i");
        view.show(event(OpaquePayload.of(EventType.LLM_RETRY, JsonObject.EMPTY)));
        JsonObject error = JsonObject.builder()
                .put("message", "the network is\ngone")
                .put("code", "NETWORK")
                .build();
        view.show(event(OpaquePayload.of(
                EventType.LLM_RETRY,
                JsonObject.builder()
                        .put("turn", 1)
                        .put("step", 1)
                        .put("attempt", 2)
                        .put("error", error)
                        .put("delayMs", 500)
                        .build())));
        said("It is noon.");
        view.show(event(TurnEnd.of(1, TurnEndReason.error("gone", "NETWORK", null))));
        assertThat(shown()).startsWith("""
                        It i
                        (the attempt failed; another follows)
                        (attempt 2 failed with NETWORK: the network is⏎gone; another follows in 500 ms)
                        """).endsWith("\nIt is noon.\n(turn 1 failed with NETWORK: gone)\n");
    }

    @Test
    void calls_and_results_are_a_line_each_and_a_failure_is_marked() {
        view.show(event(ToolCall.of(1, 1, "a", "find", "{\"n\":\n1}")));
        view.show(event(ToolResult.of(1, 1, ToolResultBlock.of("a", "one\ntwo\u001b[2J"))));
        view.show(event(ToolCall.of(1, 1, "b", "send", "{}")));
        view.show(event(ToolResult.of(1, 1, ToolResultBlock.error("b", "no"))
                .withError(new ToolError("ToolTimeoutError", "TOOL_TIMED_OUT"))));
        assertThat(shown()).isEqualTo("""
                        ⚙ find({"n":⏎1})
                          ↳ find: one⏎two␛[2J
                        ⚙ send({})
                          ↳ send: ✗ TOOL_TIMED_OUT no
                        """);
    }

    @Test
    void other_sessions_are_headed_by_their_id_and_wait_for_the_end_of_a_line() {
        text("It is ");
        SessionId other = SessionId.of("sub-1");
        others.show(other, event(TurnStart.of(4)));
        others.show(other, event(UserMessage.of("Look\nit up.")));
        others.show(other, event(AssistantChunk.of(4, 1, StreamChunk.text(0, "I d"))));
        others.show(other, event(AssistantMessage.of(4, 1, Message.assistant("p", "m", TextBlock.of("I did.")))));
        others.show(other, event(TurnEnd.of(4, TurnEndReason.completed())));
        others.show(other, event(UserMessage.of("More.")));
        assertThat(shown()).isEqualTo("It is ");
        text("noon.\n");
        assertThat(shown()).isEqualTo("""
                        It is noon.
                        [sub-1 turn 4] > Look⏎it up.
                        [sub-1 turn 4] I did.
                        [sub-1] > More.
                        """);
    }
}
