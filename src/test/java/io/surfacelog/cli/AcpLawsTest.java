package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.model.Tool;
import io.surfacelog.model.ToolDefinition;
import io.surfacelog.model.ToolOutput;
import io.surfacelog.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What holds whatever the model does. */
class AcpLawsTest {

    private static final int PROMPTS = 4;

    private static final Tool ECHO = Tool.of(
            ToolDefinition.of("echo", "Says it again."),
            call -> ToolOutput.text(call.arguments().toText()));

    @Test
    void what_a_prompt_shows_is_what_the_messages_of_its_turn_say_and_its_end_is_theirs() {
        Seeds.forEach(60, seed -> {
            try (AcpDesk desk = AcpDesk.initialized(new AcpRun(seed).model(12), ECHO)) {
                List<String> sessions = List.of(desk.client.newSession("/srv/a"), desk.client.newSession("/srv/b"));
                List<Integer> ids = new ArrayList<>();
                for (int i = 0; i < PROMPTS; i++) {
                    for (String session : sessions) {
                        ids.add(desk.client.prompt(session, "prompt " + i));
                    }
                }
                for (int id : ids) {
                    desk.client.response(id);
                }
                for (int s = 0; s < sessions.size(); s++) {
                    expectAsLogged(desk, sessions.get(s), ids, s);
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** The prompts of one session are answered one after the other, each with all that its turn has said before. */
    private static void expectAsLogged(AcpDesk desk, String session, List<Integer> ids, int which) {
        List<JsonObject> heard = desk.client.heard();
        int from = 0;
        for (int i = 0; i < PROMPTS; i++) {
            int id = ids.get(2 * i + which);
            int answered = index(heard, id);
            assertThat(answered).isGreaterThanOrEqualTo(from);
            List<JsonObject> updates = AcpClient.updates(heard.subList(from, answered), session);
            assertThat(AcpClient.said(updates)).isEqualTo(desk.logged(session, i + 1));
            assertThat(end(heard.get(answered))).isEqualTo(end(desk, session, i + 1));
            from = answered + 1;
        }
        assertThat(AcpClient.updates(heard.subList(from, heard.size()), session))
                .isEmpty();
    }

    private static int index(List<JsonObject> heard, int id) {
        for (int i = 0; i < heard.size(); i++) {
            if (heard.get(i).longValue("id").orElse(-1) == id) {
                return i;
            }
        }
        throw new AssertionError("no response " + id);
    }

    private static String end(JsonObject response) {
        return response.object("result")
                .flatMap(result -> result.string("stopReason"))
                .orElse("error");
    }

    private static String end(AcpDesk desk, String session, long turn) {
        List<String> ends = new ArrayList<>();
        desk.stack.queries.forEach(SessionId.of(session), event -> {
            if (event.payload() instanceof TurnEnd end && end.turn() == turn) {
                ends.add(
                        switch (end.reason().kind()) {
                            case "completed" -> "end_turn";
                            case "max-tokens" -> "max_tokens";
                            default -> end.reason().kind();
                        });
            }
        });
        return ends.stream().collect(Collectors.joining());
    }
}
