package io.surfacelog.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.actuate.Served.Answer;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.Usage;
import io.surfacelog.event.UserMessage;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The endpoints over HTTP, exposed as an application would expose them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EndpointsTest {

    private static final SessionId DESK = SessionId.of("desk");
    private static final String SECRET = "My card is 4711";
    private static final String HIDDEN = "******";

    private Served served;

    @BeforeAll
    void startAndFillOneSession(@TempDir Path directory) {
        served = Served.start(
                directory.resolve("log.db"),
                "management.endpoints.web.exposure.include=*",
                "surfacelog.inspect.show-content=when-authorized",
                "surfacelog.inspect.roles=operator");
        SessionCommands commands = served.commands();
        commands.create(SessionHeader.builder().id(DESK).cwd("/srv/desk").build());
        commands.append(DESK, TurnStart.of(1));
        commands.append(DESK, UserMessage.of(SECRET), SurfaceIntent.append());
        commands.append(DESK, StepStart.of(1, 1));
        commands.append(
                DESK,
                AssistantMessage.of(1, 1, Message.assistant("example", "helper-1", TextBlock.of("Noted.")))
                        .withUsage(Usage.of(30, 4)),
                SurfaceIntent.append());
        commands.append(DESK, StepEnd.of(1, 1));
        commands.append(DESK, TurnEnd.of(1, TurnEndReason.completed()));
        commands.append(
                DESK, UserMessage.of("In short"), SurfaceIntent.replace(1, 3).citing(1, 3));
    }

    @AfterAll
    void stop() {
        served.close();
    }

    @Test
    void sessions_lists_page_by_page_newest_first_and_filtered() throws Exception {
        for (String id : List.of("list-1", "list-2", "list-3")) {
            served.commands()
                    .create(SessionHeader.builder().id(SessionId.of(id)).build());
        }

        JsonObject first =
                served.get("/actuator/sessions?contains=list-&limit=2").json();
        long next = Long.parseLong(first.get("next").toText());
        JsonObject second = served.get("/actuator/sessions?contains=list-&limit=2&next=" + next)
                .json();

        assertThat(ids(first)).containsExactly("list-3", "list-2");
        assertThat(ids(second)).containsExactly("list-1");
        assertThat(second.get("next")).isNull();
        assertThat(served.get("/actuator/sessions?createdTo=2001-01-01T00:00:00Z")
                        .json()
                        .array("sessions")
                        .orElseThrow()
                        .items())
                .isEmpty();
    }

    private static List<String> ids(JsonObject page) {
        return objects(page, "sessions").stream()
                .map(session -> session.string("id").orElseThrow())
                .toList();
    }

    private static List<JsonObject> objects(JsonObject json, String name) {
        return json.array(name).orElseThrow().items().stream()
                .map(JsonObject.class::cast)
                .toList();
    }

    @Test
    void sessions_tells_of_one_session_what_is_known_of_it() throws Exception {
        JsonObject session = served.getAs("operator", "/actuator/sessions/desk").json();

        assertThat(session.get("events").toText()).isEqualTo("7");
        assertThat(session.get("types").toText())
                .isEqualTo(
                        "{\"assistant/message\":1,\"step/end\":1,\"step/start\":1,\"turn/end\":1,\"turn/start\":1,\"user/message\":2}");
        assertThat(session.get("turns").toText()).isEqualTo("1");
        assertThat(session.get("openTurn").toText()).isEqualTo("false");
        assertThat(session.get("replaces").toText()).isEqualTo("1");
        assertThat(session.get("surfaceNodes").toText()).isEqualTo("1");
        assertThat(session.get("tokens").toText()).isEqualTo("{\"input\":30,\"output\":4}");
        assertThat(Long.parseLong(session.get("bytes").toText())).isPositive();
        assertThat(session.string("header").orElseThrow()).contains("/srv/desk");
        assertThat(session.get("owner")).isNull();
    }

    @Test
    void sessions_names_who_drives_one() throws Exception {
        SessionId driven = served.commands().create(SessionHeader.builder().build());
        try (var lease = served.commands().drive(driven)) {
            JsonObject owner = (JsonObject)
                    served.get("/actuator/sessions/" + driven).json().get("owner");

            assertThat(owner.get("live").toText()).isEqualTo("true");
            assertThat(owner.string("holder").orElseThrow())
                    .contains("process " + ProcessHandle.current().pid());
            assertThat(lease.session()).isEqualTo(driven);
        }
    }

    @Test
    void surface_shows_nodes_with_what_each_replaced_now_and_as_of_an_event() throws Exception {
        JsonObject now = served.getAs("operator", "/actuator/surface/desk").json();
        JsonObject then =
                served.getAs("operator", "/actuator/surface/desk?asOf=5").json();

        assertThat(objects(now, "nodes")).singleElement().satisfies(node -> {
            assertThat(node.get("seq").toText()).isEqualTo("6");
            assertThat(node.get("replaced").toText()).isEqualTo("[1,3]");
            assertThat(node.string("preview")).contains("In short");
        });
        assertThat(objects(then, "nodes"))
                .extracting(node -> node.get("seq").toText())
                .containsExactly("1", "3");
        assertThat(Long.parseLong(objects(then, "nodes").get(1).get("tokens").toText()))
                .isPositive();
        assertThat(objects(then, "nodes").get(1).get("turn").toText()).isEqualTo("1");
    }

    @Test
    void sessionlog_says_of_each_event_whether_it_is_seen() throws Exception {
        JsonObject log = served.get("/actuator/sessionlog/desk?from=1&limit=3").json();
        JsonObject last = served.get("/actuator/sessionlog/desk?from=6").json();

        assertThat(objects(log, "events"))
                .extracting(event -> event.string("state").orElseThrow())
                .containsExactly("shadowed", "log-only", "shadowed");
        assertThat(log.get("next").toText()).isEqualTo("4");
        assertThat(objects(last, "events"))
                .extracting(event -> event.string("state").orElseThrow())
                .containsExactly("current");
        assertThat(last.get("next")).isNull();
    }

    @Test
    void provenance_goes_up_and_down() throws Exception {
        JsonObject up = served.get("/actuator/provenance/desk/1").json();
        JsonObject down = served.get("/actuator/provenance/desk/6").json();

        assertThat(up.get("replacedBy").toText()).isEqualTo("6");
        assertThat(up.get("chain").toText()).isEqualTo("[1,6]");
        assertThat(up.get("citedBy").toText()).isEqualTo("[6]");
        assertThat(down.get("replaces").toText()).isEqualTo("[1,3]");
        assertThat(down.get("onSurface").toText()).isEqualTo("true");
    }

    @Test
    void verify_is_a_write_and_finds_a_sound_session_sound() throws Exception {
        assertThat(served.get("/actuator/verify/desk").status()).isEqualTo(405);
        JsonObject report = served.post("/actuator/verify/desk", "{}").json();
        JsonObject shared = served.post("/actuator/verify", "{}").json();

        assertThat(report.get("sound").toText()).isEqualTo("true");
        assertThat(report.get("events").toText()).isEqualTo("7");
        assertThat(shared.get("sound").toText()).isEqualTo("true");
        assertThat(served.post("/actuator/verify/nobody", "{}").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/actuator/sessions/desk",
                "/actuator/surface/desk?asOf=5",
                "/actuator/sessionlog/desk",
                "/actuator/provenance/desk/1"
            })
    void content_is_shown_only_to_whom_the_settings_name(String path) throws Exception {
        String content = path.contains("/sessions/") ? "/srv/desk" : SECRET;

        assertThat(served.get(path).body()).contains(HIDDEN).doesNotContain(content);
        assertThat(served.getAs("visitor", path).body()).contains(HIDDEN).doesNotContain(content);
        assertThat(served.getAs("operator", path).body()).doesNotContain(HIDDEN).contains(content);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a/b",
                "../../etc/passwd",
                "..",
                ".",
                "a//b",
                "%2e%2e",
                "a;b=c",
                "a b+c",
                "\u0000",
                "\uD83D\uDE00",
                "<script>alert(1)</script>",
                "'; DROP TABLE event; --"
            })
    void an_id_of_any_kind_can_be_asked_for_and_leads_to_that_session_only(String hostile) throws Exception {
        SessionId id = SessionId.of(hostile);
        if (!served.queries().exists(id)) {
            served.commands().create(SessionHeader.builder().id(id).build());
        }
        String encoded = URLEncoder.encode(hostile, StandardCharsets.UTF_8);

        assertThat(served.get("/actuator/sessions?session=" + encoded).json().string("id"))
                .contains(hostile);
        assertThat(served.get("/actuator/surface?session=" + encoded).json().string("session"))
                .contains(hostile);
        assertThat(served.get("/actuator/sessionlog?session=" + encoded).json().string("session"))
                .contains(hostile);
        assertThat(served.post(
                                "/actuator/verify",
                                "{\"session\":" + Json.of(hostile).toText() + "}")
                        .json()
                        .string("session"))
                .contains(hostile);
        Answer inPath = served.get("/actuator/sessions/" + encoded.replace("+", "%20"));
        assertThat(inPath.status()).isIn(200, 400, 404);
        if (inPath.status() == 200) {
            assertThat(inPath.json().string("id")).isIn(java.util.Optional.of(hostile), java.util.Optional.empty());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/actuator/sessions?limit=0",
                "/actuator/sessions?limit=1001",
                "/actuator/sessions?limit=many",
                "/actuator/sessions?next=-1",
                "/actuator/sessions?session=",
                "/actuator/surface/desk?offset=-1",
                "/actuator/surface",
                "/actuator/sessionlog/desk?from=-1",
                "/actuator/sessionlog/desk?limit=100000",
                "/actuator/provenance/desk/one"
            })
    void what_cannot_be_meant_is_a_bad_request(String path) throws Exception {
        assertThat(served.get(path).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/actuator/sessions/nobody",
                "/actuator/surface/nobody",
                "/actuator/surface/desk?asOf=99",
                "/actuator/sessionlog/nobody",
                "/actuator/provenance/desk/99",
                "/actuator/provenance/nobody/1"
            })
    void what_is_not_there_is_not_found(String path) throws Exception {
        assertThat(served.get(path).status()).isEqualTo(404);
    }
}
