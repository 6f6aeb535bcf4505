package io.surfacelog.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionId;
import io.surfacelog.web.Served.Answer;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions and their events, as a client meets them. */
class SessionsOverHttpTest {

    @TempDir
    private Path directory;

    private Served served;

    @BeforeEach
    void start() {
        served = Served.in(directory);
    }

    @AfterEach
    void stop() {
        served.close();
    }

    @Test
    void a_session_is_created_written_read_and_deleted() {
        Answer created = served.post("/sessions", "{\"id\":\"s1\",\"cwd\":\"/srv/app\"}");
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        assertThat(created.header("Location")).isEqualTo(Served.BASE + "/sessions/s1");
        assertThat(created.header("ETag")).isEqualTo("\"0\"");

        Answer appended = served.post("/sessions/s1/events", """
                [{"type":"turn/start","data":{"turn":1}},
                 {"type":"user/message","data":{"id":"m","role":"user","source":{"kind":"user"},
                  "content":[{"type":"text","text":"Where?"}],"digits":1.10},"surfaceOp":"append"}]""", "If-Match", "\"0\"");
        assertThat(appended.status()).as(appended.text()).isEqualTo(201);
        assertThat(appended.header("ETag")).isEqualTo("\"2\"");

        Answer read = served.get("/sessions/s1/events?from=1");
        assertThat(read.status()).as(read.text()).isEqualTo(200);
        assertThat(read.json().array("events").orElseThrow().size()).isOne();
        assertThat(read.text()).contains("\"digits\":1.10");

        Answer messages = served.get("/sessions/s1/messages");
        assertThat(messages.json().array("messages").orElseThrow().size()).isOne();

        assertThat(served.get("/sessions/s1").json().longValue("nodes")).hasValue(1);
        assertThat(served.get("/sessions")
                        .json()
                        .array("sessions")
                        .orElseThrow()
                        .size())
                .isOne();

        assertThat(served.delete("/sessions/s1").status()).isEqualTo(200);
        Answer gone = served.get("/sessions/s1");
        assertThat(gone.status()).isEqualTo(404);
        assertThat(gone.problem()).isEqualTo("unknown-session");
        assertThat(gone.header("Content-Type")).isEqualTo("application/problem+json");
    }

    @Test
    void if_match_and_the_idempotency_key_are_kept_to() {
        served.post("/sessions", "{\"id\":\"s1\"}");
        String turn = "{\"type\":\"turn/start\",\"data\":{\"turn\":1}}";
        Answer first = served.post("/sessions/s1/events", turn, "Idempotency-Key", "k");
        Answer again = served.post("/sessions/s1/events", turn, "Idempotency-Key", "k");
        Answer other = served.post(
                "/sessions/s1/events", "{\"type\":\"turn/start\",\"data\":{\"turn\":2}}", "Idempotency-Key", "k");
        Answer stale = served.post("/sessions/s1/events", turn, "If-Match", "\"7\"");

        assertThat(first.status()).isEqualTo(201);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().isTrue("repeated")).isTrue();
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.problem()).isEqualTo("idempotency-conflict");
        assertThat(stale.status()).isEqualTo(412);
        assertThat(stale.json().longValue("nextSeq")).hasValue(1);
    }

    @Test
    void a_refused_event_is_told_by_its_rule_and_place_as_at_every_other_door() {
        served.post("/sessions", "{\"id\":\"s1\"}");
        String turn = "{\"type\":\"turn/start\",\"data\":{\"turn\":1}}";

        assertRefused("[" + turn + ",{\"type\":\"nope/nope\",\"data\":{}}]", 422, "type.undeclared", 1);
        assertRefused(
                "{\"type\":\"turn/start\",\"data\":{\"turn\":1},\"surfaceOp\":null}", 422, "surface.op-not-allowed", 0);
        assertRefused(message("\"surfaceOp\":{\"op\":\"replace\",\"start\":0}"), 422, "surface.op-bad-replace", 0);
        assertRefused(message("\"surfaceOp\":\"append\",\"sourceEventSeqs\":[0,-1]"), 422, "sources.bad-seq", 0);
        assertRefused(message("\"ignorable\":false"), 422, "envelope", 0);
        assertRefused(message("\"ignorable\":true"), 422, "surface.op-missing", 0);
        // an earlier rule is told before that of a bad marker
        assertRefused("[" + turn + ",{\"type\":\"nope/nope\",\"data\":{},\"surfaceOp\":7}]", 422, "type.undeclared", 1);
        assertRefused("{\"type\":\"turn/end\",\"data\":{\"turn\":1,\"reason\":{\"kind\":\"completed\"}}}", 0, "", -1);
        assertThat(served.get("/sessions/s1").json().longValue("nextSeq")).hasValue(1);
    }

    private static String message(String more) {
        return "{\"type\":\"user/message\",\"data\":{\"id\":\"m\",\"role\":\"user\",\"source\":{\"kind\":\"user\"},"
                + "\"content\":[]}," + more + "}";
    }

    private void assertRefused(String body, int status, String rule, long at) {
        Answer answer = served.post("/sessions/s1/events", body);
        if (status == 0) {
            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
            return;
        }
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.json().string("rule")).as(answer.text()).hasValue(rule);
        assertThat(answer.json().longValue("at")).hasValue(at);
    }

    @Test
    void an_id_of_any_kind_has_a_path() {
        List<String> ids = List.of(
                "a/b",
                "..",
                ".",
                "../../etc/passwd",
                "nul\0nul",
                "🦊",
                "x".repeat(300),
                "\ud800",
                "~",
                "%2F",
                "a;b",
                "a b+c",
                "ä\\",
                "?#&=",
                "\ud83d",
                "\n");
        for (String id : ids) {
            Answer created = served.post(
                    "/sessions", JsonObject.builder().put("id", id).build().toText());
            assertThat(created.status()).as(id + created.text()).isEqualTo(201);
            String path = created.header("Location").substring(Served.BASE.length());
            assertThat(path).startsWith("/sessions/").matches("[A-Za-z0-9/_.~%-]+");

            Answer found = served.get(path);
            assertThat(found.status()).as(path + found.text()).isEqualTo(200);
            assertThat(found.json().string("id")).hasValue(id);
            assertThat(served.queries().exists(SessionId.of(id))).isTrue();
            assertThat(served.delete(path).status()).isEqualTo(200);
        }
        assertThat(served.get("/sessions").json().array("sessions")).hasValue(JsonArray.EMPTY);
    }

    @Test
    void a_path_that_says_nothing_clear_is_refused() {
        for (String path : List.of("/sessions/~12", "/sessions/%2e%2e", "/sessions/a;b", "/sessions/%FF")) {
            Answer answer = served.get(path);
            assertThat(answer.status()).as(path + answer.text()).isEqualTo(400);
        }
        for (String path : List.of("/", "/nope", "/sessions/", "/sessions/a/b/c", "/sessions//events")) {
            assertThat(served.get(path).status()).as(path).isIn(400, 404);
        }
        Answer wrong = served.send(served.request("/sessions/a")
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build());
        assertThat(wrong.status()).isEqualTo(405);
        assertThat(wrong.header("Allow")).isEqualTo("DELETE, GET, HEAD");
    }

    @Test
    void what_stands_in_a_log_comes_back_digit_for_digit() {
        served.post("/sessions", "{\"id\":\"s1\"}");
        String data = "{\"n\":9007199254740993,\"e\":1.0e+2,\"s\":\"\\ud800 <script>\\u2028\"}";
        Answer appended = served.post("/sessions/s1/events", "{\"type\":\"session/title\",\"data\":" + data + "}");
        assertThat(appended.status()).as(appended.text()).isEqualTo(201);

        String read = served.get("/sessions/s1/events/0").text();

        assertThat(read).contains("9007199254740993", "1.0e+2", "\\ud800");
        assertThat(((JsonObject) Json.parse(read)).get("data")).isEqualTo(Json.parse(data));
    }
}
