package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnEnd;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The command as an editor starts it, with the demonstration model. */
@Tag("slow")
@EnabledOnOs(OS.LINUX)
class AcpProcessTest {

    private static final String LONG = "count to 900";

    /** Reads seven lines, hands them on, and goes. */
    private static final String LINES = "for i in 1 2 3 4 5 6 7; do IFS= read -r line; printf '%s\\n' \"$line\"; done";

    @TempDir
    Path folder;

    private List<SessionEvent> log(String session) {
        try (Standalone store = Standalone.open(AcpProcess.database(folder), IfAbsent.REFUSE)) {
            return store.queries().events(SessionId.of(session), 0, Long.MAX_VALUE);
        }
    }

    private static List<TurnEnd> ends(List<SessionEvent> log) {
        return log.stream()
                .filter(event -> event.payload() instanceof TurnEnd)
                .map(event -> (TurnEnd) event.payload())
                .toList();
    }

    private static String said(List<SessionEvent> log) {
        StringBuilder text = new StringBuilder();
        for (SessionEvent event : log) {
            if (event.payload() instanceof AssistantMessage message) {
                text.append(message.message().text());
            }
        }
        return text.toString();
    }

    @Test
    void answers_prompts_with_tools_and_survives_what_is_no_request_until_its_input_ends() throws Exception {
        String session;
        try (AcpProcess acp = AcpProcess.start(folder)) {
            AcpClient client = acp.client();
            client.initialize();
            client.line("garbage");
            client.line("{\"jsonrpc\":\"2.0\",\"method\":\"session/unheard_of\"}");
            assertThat(client.error(client.send("session/unheard_of", JsonObject.EMPTY))
                            .longValue("code"))
                    .hasValue(-32601);
            session = client.newSession("/srv/süß");

            assertThat(client.stopReason(client.prompt(session, "what is 12 * (3 + 4)?")))
                    .isEqualTo("end_turn");

            List<JsonObject> updates = client.updates(session);
            assertThat(updates)
                    .anyMatch(update -> update.toText().contains("\"status\":\"completed\"")
                            && update.toText().contains("84"));
            client.hangUp();
            assertThat(acp.awaitExit()).as(acp.err()).isZero();
            assertThat(AcpClient.said(updates)).isEqualTo(said(log(session))).contains("84");
            assertThat(acp.err()).contains("session/unheard_of").doesNotContain("Exception");
        }
        assertThat(ends(log(session))).hasSize(1);
    }

    @Test
    void a_session_whose_process_was_killed_in_a_turn_is_loaded_and_goes_on_in_another() throws Exception {
        String session;
        String shown;
        try (AcpProcess acp = AcpProcess.start(folder)) {
            AcpClient client = acp.client();
            client.initialize();
            session = client.newSession("/srv/app");
            String counting = session;
            client.prompt(session, LONG);
            client.awaitUpdate(
                    session, update -> AcpClient.said(client.updates(counting)).contains("7, "));

            refusesWhatAnotherProcessDrives(session, acp.pid());
            acp.kill();
            shown = AcpClient.said(AcpClient.updates(client.awaitEnd(), session));
        }
        try (AcpProcess acp = AcpProcess.start(folder)) {
            AcpClient client = acp.client();
            client.initialize();
            assertThat(client.result(client.send("session/load", AcpClient.session(session, "/srv/app")))
                            .isEmpty())
                    .isTrue();

            List<JsonObject> replayed = client.updates(session);
            assertThat(replayed.get(0).toText()).contains("user_message_chunk", LONG);
            assertThat(AcpClient.said(replayed)).startsWith(shown);
            assertThat(client.stopReason(client.prompt(session, "what is 2 + 3?")))
                    .isEqualTo("end_turn");
            client.hangUp();
            assertThat(acp.awaitExit()).as(acp.err()).isZero();
        }
        assertThat(ends(log(session)))
                .extracting(end -> end.turn() + " " + end.reason().kind())
                .containsExactly("1 interrupted", "2 completed");
    }

    private void refusesWhatAnotherProcessDrives(String session, long pid) throws Exception {
        try (AcpProcess other = AcpProcess.start(folder)) {
            other.client().initialize();
            JsonObject error =
                    other.client().error(other.client().send("session/load", AcpClient.session(session, "/a")));
            assertThat(error.longValue("code")).hasValue(-32050);
            assertThat(error.string("message").orElseThrow()).contains("process " + pid);
            other.client().hangUp();
            assertThat(other.awaitExit()).as(other.err()).isZero();
        }
    }

    @Test
    void whose_turn_runs_when_its_input_ends_or_its_reader_goes_is_aborted_and_the_process_ends_quietly()
            throws Exception {
        try (AcpProcess acp = AcpProcess.start(folder)) {
            AcpClient client = acp.client();
            client.initialize();
            String session = client.newSession("/srv/app");
            int id = client.prompt(session, LONG);
            client.awaitUpdate(session, AcpClient::isText);

            client.hangUp();

            assertThat(acp.awaitExit()).as(acp.err()).isZero();
            assertThat(acp.err()).isEmpty();
            assertThat(client.stopReason(id)).isEqualTo("cancelled");
            assertThat(ends(log(session)).get(0).reason().abortedBy()).contains("disposed");
        }
        try (AcpProcess acp = AcpProcess.startReadBy(folder, LINES)) {
            AcpClient client = acp.client();
            client.initialize();
            String session = client.newSession("/srv/app");
            client.prompt(session, LONG);

            assertThat(acp.awaitExit()).as(acp.err()).isZero();
            assertThat(acp.err()).isEmpty();
            assertThat(ends(log(session)).get(0).reason().abortedBy()).contains("disposed");
        }
    }
}
