package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.model.FinishReason;
import io.surfacelog.model.ModelException;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.model.Tool;
import io.surfacelog.model.ToolDefinition;
import io.surfacelog.model.ToolOutput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Sessions and prompts, as a client sees them. */
class AcpSessionTest {

    private static final Tool ECHO = Tool.of(
            ToolDefinition.of("echo", "Says it again."),
            call -> ToolOutput.text(call.arguments().toText()));

    private static List<String> kinds(List<JsonObject> updates) {
        return updates.stream()
                .map(update -> AcpClient.kind(update)
                        + update.string("status").map(status -> " " + status).orElse(""))
                .toList();
    }

    private static List<String> ends(AcpDesk desk, String session) {
        List<String> ends = new ArrayList<>();
        desk.stack.queries.forEach(SessionId.of(session), event -> {
            if (event.payload() instanceof TurnEnd end) {
                ends.add(end.turn() + " " + end.reason().kind()
                        + end.reason().abortedBy().map(by -> " " + by).orElse(""));
            }
        });
        return ends;
    }

    @Nested
    class A_prompt {

        @Test
        void is_shown_as_it_is_committed_and_settled_behind_all_of_its_turn() throws Exception {
            ScriptedModel model = ScriptedModel.of(
                    ScriptedAnswer.begin()
                            .reasoning("hm")
                            .text("One ", "moment.")
                            .toolCall("c", "echo", "{\"a\":1}"),
                    ScriptedAnswer.of("Done."));
            try (AcpDesk desk = AcpDesk.initialized(model, ECHO)) {
                String session = desk.client.newSession("/srv/desk");

                int id = desk.client.prompt(session, "go");

                assertThat(desk.client.stopReason(id)).isEqualTo("end_turn");
                List<JsonObject> updates = desk.client.updates(session);
                assertThat(kinds(updates))
                        .containsExactly(
                                "agent_thought_chunk",
                                "agent_message_chunk",
                                "agent_message_chunk",
                                "tool_call pending",
                                "tool_call_update in_progress",
                                "tool_call_update completed",
                                "agent_message_chunk");
                assertThat(updates.get(3).toText())
                        .isEqualTo("{\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"1.1.c\",\"title\":\"echo\","
                                + "\"kind\":\"other\",\"status\":\"pending\",\"rawInput\":{\"a\":1}}");
                assertThat(updates.get(5).toText())
                        .isEqualTo("{\"sessionUpdate\":\"tool_call_update\",\"toolCallId\":\"1.1.c\",\"status\":"
                                + "\"completed\",\"content\":[{\"type\":\"content\",\"content\":{\"type\":\"text\","
                                + "\"text\":\"{\\\"a\\\":1}\"}}]}");
                assertThat(desk.stack.queries.header(SessionId.of(session)).cwd())
                        .contains("/srv/desk");
                List<JsonObject> heard = desk.client.heard();
                assertThat(heard.get(heard.size() - 1)).isEqualTo(desk.client.response(id));
            }
        }

        @Test
        void waits_for_the_one_before_it_in_its_session_and_for_none_of_another() throws Exception {
            ScriptedModel model = ScriptedModel.answering(
                    call -> call.request().messages().get(0).text().equals("hang")
                            ? ScriptedAnswer.begin().text("hanging").hang()
                            : ScriptedAnswer.of("answer"));
            try (AcpDesk desk = AcpDesk.initialized(model)) {
                String hanging = desk.client.newSession("/a");
                String other = desk.client.newSession("/b");
                int first = desk.client.prompt(hanging, "hang");
                int second = desk.client.prompt(hanging, "hang");

                assertThat(desk.client.stopReason(desk.client.prompt(other, "hello")))
                        .isEqualTo("end_turn");

                desk.client.awaitUpdate(hanging, AcpClient::isText);
                desk.client.cancel(hanging);
                assertThat(desk.client.stopReason(first)).isEqualTo("cancelled");
                desk.client.await(
                        message -> AcpClient.updates(List.of(message), hanging).size() == 1
                                && desk.client.updates(hanging).size() == 2);
                desk.client.cancel(hanging);
                assertThat(desk.client.stopReason(second)).isEqualTo("cancelled");
                assertThat(ends(desk, hanging)).containsExactly("1 aborted user", "2 aborted user");
            }
        }

        @Test
        void ends_as_its_turn_does() throws Exception {
            ScriptedModel model = ScriptedModel.of(
                    ScriptedAnswer.begin().text("cut").finish(FinishReason.MAX_TOKENS),
                    ScriptedAnswer.failing(
                            ModelException.of(ModelException.Kind.PERMANENT, "NO_CREDIT", "the account is empty")));
            try (AcpDesk desk = AcpDesk.initialized(model)) {
                String session = desk.client.newSession("/a");

                assertThat(desk.client.stopReason(desk.client.prompt(session, "go")))
                        .isEqualTo("max_tokens");
                JsonObject error = desk.client.error(desk.client.prompt(session, "go"));

                assertThat(error.longValue("code")).hasValue(-32603);
                assertThat(error.string("message").orElseThrow())
                        .startsWith("turn 2 failed: ")
                        .contains("the account is empty");
                assertThat(error.object("data").orElseThrow().toText()).contains("NO_CREDIT");
            }
        }

        @Test
        void with_links_and_embedded_text_reaches_the_model_as_text() throws Exception {
            ScriptedModel model = ScriptedModel.of(ScriptedAnswer.of("ok"));
            try (AcpDesk desk = AcpDesk.initialized(model)) {
                String session = desk.client.newSession("/a");
                desk.client.line(
                        "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"session/prompt\",\"params\":{\"sessionId\":\""
                                + session
                                + "\",\"prompt\":[{\"type\":\"text\",\"text\":\"see \"},{\"type\":\"resource_link\","
                                + "\"name\":\"a.md\",\"uri\":\"file:///a.md\"},{\"type\":\"resource\",\"resource\":{\"uri\":"
                                + "\"file:///b.md\",\"text\":\"# B\"}}]}}");
                desk.client.await(message -> message.string("id").orElse("").equals("p"));

                assertThat(model.calls().get(0).request().messages().get(0).text())
                        .isEqualTo("see [a.md](file:///a.md)<resource uri=\"file:///b.md\">\n# B\n</resource>");
            }
        }
    }

    @Nested
    class Cancelling {

        @Test
        void stops_a_prompt_that_was_just_asked_wherever_it_is() throws Exception {
            ScriptedModel model = ScriptedModel.answering(
                    call -> ScriptedAnswer.begin().text("a ", "b ").hang());
            try (AcpDesk desk = AcpDesk.initialized(model)) {
                String session = desk.client.newSession("/a");
                for (int i = 0; i < 40; i++) {
                    int id = desk.client.prompt(session, "go " + i);
                    for (int spin = i * 20_000; spin > 0; spin--) {
                        Thread.onSpinWait();
                    }
                    desk.client.cancel(session);
                    assertThat(desk.client.stopReason(id)).isEqualTo("cancelled");
                }
                assertThat(ends(desk, session)).allMatch(end -> end.endsWith(" aborted user"));
                assertThat(desk.stack.queries.surface(SessionId.of(session)).findings())
                        .isEmpty();
            }
        }

        @Test
        void stops_a_tool_and_tells_what_became_of_its_call() throws Exception {
            CountDownLatch started = new CountDownLatch(1);
            Tool sleeper = Tool.of(ToolDefinition.of("sleeper", "Sleeps."), call -> {
                started.countDown();
                new CountDownLatch(1).await();
                return ToolOutput.text("never");
            });
            ScriptedModel model = ScriptedModel.of(ScriptedAnswer.begin().toolCall("c", "sleeper", "{}"));
            try (AcpDesk desk = AcpDesk.initialized(model, sleeper)) {
                String session = desk.client.newSession("/a");
                int id = desk.client.prompt(session, "go");
                assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();

                desk.client.cancel(session);

                assertThat(desk.client.stopReason(id)).isEqualTo("cancelled");
                assertThat(kinds(desk.client.updates(session)))
                        .containsExactly(
                                "tool_call pending", "tool_call_update in_progress", "tool_call_update failed");
            }
        }

        @Test
        void of_nothing_changes_nothing() throws Exception {
            try (AcpDesk desk = AcpDesk.initialized(ScriptedModel.of(ScriptedAnswer.of("a"), ScriptedAnswer.of("b")))) {
                String session = desk.client.newSession("/a");
                desk.client.cancel(session);
                desk.client.cancel("nobody");
                assertThat(desk.client.stopReason(desk.client.prompt(session, "go")))
                        .isEqualTo("end_turn");
                desk.client.cancel(session);
                assertThat(desk.client.stopReason(desk.client.prompt(session, "go")))
                        .isEqualTo("end_turn");
            }
        }
    }

    @Nested
    class Loading {

        @Test
        void shows_the_conversation_as_it_was_shown_live_with_what_the_user_said() throws Exception {
            ScriptedModel model = ScriptedModel.of(
                    ScriptedAnswer.begin()
                            .reasoning("h", "m")
                            .text("One ", "moment.")
                            .toolCall("c", "echo", "{}"),
                    ScriptedAnswer.begin().toolCall("c", "echo", "{}").toolCall("d", "missing", "{}"),
                    ScriptedAnswer.of("Do", "ne."));
            try (AcpDesk desk = AcpDesk.initialized(model, ECHO)) {
                String session = desk.client.newSession("/a");
                desk.client.result(desk.client.prompt(session, "go"));
                List<JsonObject> live = desk.client.updates(session);

                int id = desk.client.send("session/load", AcpClient.session(session, "/a"));

                assertThat(desk.client.result(id).isEmpty()).isTrue();
                List<JsonObject> all = desk.client.updates(session);
                List<JsonObject> replayed = all.subList(live.size(), all.size());
                assertThat(replayed.get(0).toText())
                        .isEqualTo(
                                "{\"sessionUpdate\":\"user_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"go\"}}");
                assertThat(AcpClient.said(replayed))
                        .isEqualTo(AcpClient.said(live))
                        .isEqualTo("One moment.Done.");
                assertThat(calls(replayed)).isEqualTo(calls(live)).hasSize(6);
            }
        }

        /** What is known of each call in the end; that a run has begun stands in no transcript. */
        private static List<JsonObject> calls(List<JsonObject> updates) {
            return updates.stream()
                    .filter(update -> update.has("toolCallId"))
                    .filter(update -> !update.string("status").orElse("").equals("in_progress"))
                    .toList();
        }

        @Test
        void of_a_session_that_is_not_there_or_not_open_is_refused() throws Exception {
            try (AcpDesk desk = AcpDesk.initialized(ScriptedModel.of())) {
                JsonObject unknown =
                        desk.client.error(desk.client.send("session/load", AcpClient.session("nobody", "/a")));
                assertThat(unknown.longValue("code")).hasValue(-32002);
                assertThat(unknown.string("message").orElseThrow()).contains("there is no session \"nobody\"");

                JsonObject closed = desk.client.error(desk.client.prompt("nobody", "hello"));
                assertThat(closed.longValue("code")).hasValue(-32002);
                assertThat(closed.string("message").orElseThrow()).contains("session/load");
            }
        }
    }

    @Nested
    class The_end {

        @Test
        void of_input_disposes_of_the_agents_and_answers_their_prompts() throws Exception {
            ScriptedModel model =
                    ScriptedModel.of(ScriptedAnswer.begin().text("hanging").hang());
            try (AcpDesk desk = AcpDesk.initialized(model)) {
                String session = desk.client.newSession("/a");
                int id = desk.client.prompt(session, "go");
                desk.client.awaitUpdate(session, AcpClient::isText);

                desk.client.hangUp();
                desk.awaitServed();

                assertThat(desk.client.stopReason(id)).isEqualTo("cancelled");
                assertThat(ends(desk, session)).containsExactly("1 aborted disposed");
            }
        }

        @Test
        void of_input_answers_the_prompts_behind_the_running_one_as_cancelled_too() throws Exception {
            ScriptedModel model =
                    ScriptedModel.of(ScriptedAnswer.begin().text("hanging").hang());
            try (AcpDesk desk = AcpDesk.initialized(model)) {
                String session = desk.client.newSession("/a");
                int running = desk.client.prompt(session, "go");
                int behind = desk.client.prompt(session, "and then");
                int compacting = desk.client.prompt(session, "/compact");
                desk.client.awaitUpdate(session, AcpClient::isText);

                desk.client.hangUp();
                desk.awaitServed();

                for (int id : new int[] {running, behind, compacting}) {
                    assertThat(desk.client.stopReason(id)).isEqualTo("cancelled");
                }
                assertThat(ends(desk, session)).containsExactly("1 aborted disposed");
            }
        }

        @Test
        void of_whoever_reads_disposes_of_the_agents_too() throws Exception {
            ScriptedModel model = ScriptedModel.of(ScriptedAnswer.begin()
                    .text(Duration.ofMillis(5), "a ".repeat(400).split("(?<= )"))
                    .hang());
            try (AcpDesk desk = AcpDesk.initialized(model)) {
                String session = desk.client.newSession("/a");
                desk.client.prompt(session, "go");
                desk.client.awaitUpdate(session, AcpClient::isText);

                desk.stopReading();
                desk.awaitServed();

                assertThat(ends(desk, session)).containsExactly("1 aborted disposed");
            }
        }

        @Test
        void comes_also_for_a_client_that_does_not_read() throws Exception {
            ScriptedModel model = ScriptedModel.answering(call -> ScriptedAnswer.of("x".repeat(1 << 20)));
            AcpDesk desk = AcpDesk.initialized(model);
            String session = desk.client.newSession("/a");
            desk.client.pause();
            desk.client.prompt(session, "go");
            desk.client.prompt(session, "go");

            desk.client.hangUp();
            desk.awaitServed();

            assertThat(desk.agents.live()).isEmpty();
            desk.client.goOn();
            desk.close();
        }
    }

    @Nested
    class The_command_compact {

        @Test
        void is_announced_and_compacts_without_a_turn() throws Exception {
            String long1 = "The parcel of order A-1047 left the depot and came back again. ".repeat(60);
            ScriptedModel model =
                    ScriptedModel.of(ScriptedAnswer.of(long1), ScriptedAnswer.of(long1), ScriptedAnswer.of("Short."));
            try (AcpDesk desk = AcpDesk.compacting(model)) {
                String session = desk.client.newSession("/srv/desk");
                for (int turn = 0; turn < 3; turn++) {
                    assertThat(desk.client.stopReason(desk.client.prompt(session, "go")))
                            .isEqualTo("end_turn");
                }

                int id = desk.client.prompt(session, " /compact\n");

                assertThat(desk.client.stopReason(id)).isEqualTo("end_turn");
                List<JsonObject> updates = desk.client.updates(session);
                assertThat(updates.get(0).toText()).contains("available_commands_update", "\"name\":\"compact\"");
                assertThat(updates.get(updates.size() - 1).toText())
                        .contains("agent_message_chunk", "made room for the summary");
                assertThat(ends(desk, session)).hasSize(3);
                assertThat(desk.stack.queries.replacements(SessionId.of(session)))
                        .hasSize(1);
            }
        }

        @Test
        void is_a_prompt_like_any_other_where_it_is_not_all_that_is_said() throws Exception {
            try (AcpDesk desk = AcpDesk.compacting(ScriptedModel.of(ScriptedAnswer.of("I cannot do that.")))) {
                String session = desk.client.newSession("/srv/desk");
                assertThat(desk.client.stopReason(desk.client.prompt(session, "please /compact")))
                        .isEqualTo("end_turn");
                assertThat(ends(desk, session)).hasSize(1);
            }
        }
    }
}
