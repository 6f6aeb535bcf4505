package io.surfacelog.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.model.Tool;
import io.surfacelog.model.ToolDefinition;
import io.surfacelog.model.ToolOutput;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A whole connection, line by line, as it was recorded. */
class AcpExchangeTest {

    private static final Tool TRACK =
            Tool.of(ToolDefinition.of("track", "Finds a parcel."), call -> ToolOutput.text("in Bremen"));

    private static List<String> exchange() throws Exception {
        try (InputStream in = AcpExchangeTest.class.getResourceAsStream("acp-exchange.txt")) {
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
        }
    }

    @Test
    void the_recorded_exchange_goes_as_it_went() throws Exception {
        ScriptedModel model = ScriptedModel.of(
                ScriptedAnswer.begin()
                        .reasoning("Ask the tool.")
                        .text("One ", "moment.")
                        .toolCall("c", "track", "{\"parcel\":", "7}"),
                ScriptedAnswer.of("In Bremen."),
                ScriptedAnswer.begin().text("Let me see").hang());
        try (AcpDesk desk = AcpDesk.of(model, TRACK)) {
            String session = "SESSION";
            int heard = 0;
            for (String line : exchange()) {
                if (line.startsWith("> ")) {
                    desk.client.line(line.substring(2).replace("SESSION", session));
                    continue;
                }
                JsonObject message = desk.client.at(heard++);
                if (session.equals("SESSION")) {
                    session = message.object("result")
                            .flatMap(result -> result.string("sessionId"))
                            .orElse(session);
                }
                assertThat(message).isEqualTo(Json.parse(line.substring(2).replace("SESSION", session)));
            }
            desk.client.hangUp();
            assertThat(desk.client.awaitEnd()).hasSize(heard);
        }
    }
}
