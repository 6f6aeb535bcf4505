package io.surfacelog.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.web.Served.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a page asks that shows a log too long to be sent: windows, and what happened when. */
class LongLogsOverHttpTest {

    private static final String SESSION = "/sessions/sample-parcel-support";
    private static final SessionId ID = SessionId.of("sample-parcel-support");

    @TempDir
    private Path directory;

    private Served served;
    private List<SessionEvent> events;

    @BeforeEach
    void start() throws IOException {
        served = Served.in(directory);
        takeIn();
        events = served.queries().events(ID, 0, Long.MAX_VALUE);
    }

    private void takeIn() throws IOException {
        try (InputStream sample = getClass().getResourceAsStream("/io/surfacelog/cli/sample-session.jsonl")) {
            Answer in = served.send(served.request("/import", "Content-Type", "application/jsonl")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(sample.readAllBytes()))
                    .build());
            assertThat(in.status()).as(in.text()).isEqualTo(201);
        }
    }

    @AfterEach
    void stop() {
        served.close();
    }

    private static List<JsonObject> objects(JsonObject json, String name) {
        return json.array(name).orElseThrow().items().stream()
                .map(JsonObject.class::cast)
                .toList();
    }

    private static long number(JsonObject json, String name) {
        return json.longValue(name).orElseThrow();
    }

    private static EventSeqs seqs(JsonObject json, String name) {
        return EventSeqs.parse(json.string(name).orElseThrow());
    }

    @Test
    void windows_of_any_size_cover_the_log_once_and_fold_runs_of_chunks() {
        for (int limit : new int[] {1, 2, 7, 5_000}) {
            List<Long> covered = new ArrayList<>();
            long from = 0;
            while (from < events.size()) {
                JsonObject window = served.get(SESSION + "/rows?from=" + from + "&limit=" + limit)
                        .json();
                List<JsonObject> rows = objects(window, "rows");
                assertThat(rows).hasSizeBetween(1, Math.max(2, limit));
                for (JsonObject row : rows) {
                    for (long seq = number(row, "seq"); seq <= number(row, "last"); seq++) {
                        covered.add(seq);
                        assertThat(events.get((int) seq).type())
                                .isEqualTo(row.string("type").orElseThrow());
                    }
                    assertThat(number(row, "last") == number(row, "seq")
                                    || row.toText().contains("assistant/chunk"))
                            .isTrue();
                }
                from = number(window, "to");
                assertThat(covered.get(covered.size() - 1)).isEqualTo(from - 1);
            }
            assertThat(covered).isEqualTo(events.stream().map(SessionEvent::seq).toList());
        }
    }

    @Test
    void a_window_ends_where_it_is_told_to_also_within_a_run() {
        JsonObject window = served.get(SESSION + "/rows?from=8&to=20").json();
        assertThat(window.toText())
                .contains("\"to\":20,\"rows\":[{\"seq\":8,\"last\":19,\"type\":\"assistant/chunk\"}]");
        assertThat(number(served.get(SESSION + "/rows?from=900").json(), "to")).isEqualTo(events.size());
    }

    @Test
    void a_row_says_who_speaks_what_it_costs_and_what_it_is_made_of() {
        JsonObject answer = objects(served.get(SESSION + "/rows?from=30&to=31").json(), "rows")
                .get(0);
        assertThat(answer.string("role")).hasValue("assistant");
        assertThat(number(answer, "tokens")).isPositive();
        assertThat(answer.array("blocks").orElseThrow().toText())
                .isEqualTo("[\"reasoning\",\"text\",\"tool-call\",\"tool-call\"]");
        JsonObject call = objects(served.get(SESSION + "/rows?from=31&to=32").json(), "rows")
                .get(0);
        assertThat(call.string("preview")).hasValue("find_order({\"order\":\"A-1047\"})");
        assertThat(call.has("role")).isFalse();
        assertThat(objects(served.get(SESSION + "/rows?from=83&to=84").json(), "rows")
                        .get(0)
                        .isTrue("failed"))
                .isTrue();
    }

    @Test
    void a_timeline_tells_the_surface_of_every_moment() {
        JsonObject timeline = served.get(SESSION + "/timeline").json();
        long[] surfaceEvents = seqs(timeline, "surfaceEvents").toArray();
        for (SessionEvent event : events) {
            List<Long> nodes = new ArrayList<>();
            for (long seq : surfaceEvents) {
                if (seq > event.seq()) {
                    break;
                }
                List<Long> hidden = shadowedBy(timeline, seq);
                if (hidden.isEmpty()) {
                    nodes.add(seq);
                } else {
                    int at = nodes.indexOf(hidden.get(0));
                    assertThat(nodes.subList(at, at + hidden.size())).isEqualTo(hidden);
                    nodes.subList(at, at + hidden.size()).clear();
                    nodes.add(at, seq);
                }
            }
            assertThat(nodes.stream().mapToLong(Long::longValue))
                    .as("as of " + event.seq())
                    .containsExactly(
                            box(served.queries().surfaceAsOf(ID, event.seq()).nodeSeqs()));
        }
    }

    private static Long[] box(long[] seqs) {
        Long[] all = new Long[seqs.length];
        for (int i = 0; i < seqs.length; i++) {
            all[i] = seqs[i];
        }
        return all;
    }

    private static List<Long> shadowedBy(JsonObject timeline, long seq) {
        return objects(timeline, "replacements").stream()
                .filter(one -> number(one, "seq") == seq)
                .flatMap(one -> seqs(one, "shadowed").stream().boxed())
                .toList();
    }

    @Test
    void a_timeline_names_turns_errors_title_and_what_was_used() {
        JsonObject timeline = served.get(SESSION + "/timeline").json();
        assertThat(seqs(timeline, "turns").stream().boxed().toList())
                .isEqualTo(events.stream()
                        .filter(event -> event.type().equals("turn/start"))
                        .map(SessionEvent::seq)
                        .toList());
        assertThat(timeline.string("errors")).hasValue("83");
        assertThat(timeline.string("title").orElseThrow()).startsWith("Parcel of order");
        List<JsonObject> usage = objects(timeline, "usage");
        assertThat(usage).hasSize((int) number(timeline, "answers"));
        List<JsonObject> fewer =
                objects(served.get(SESSION + "/timeline?points=3").json(), "usage");
        assertThat(fewer).hasSizeLessThanOrEqualTo(3);
        assertThat(fewer.stream().mapToLong(point -> number(point, "input")).max())
                .isEqualTo(usage.stream()
                        .mapToLong(point -> number(point, "input"))
                        .max());
    }

    @Test
    void a_timeline_goes_on_with_the_log_and_is_that_of_this_log_and_no_earlier_one() throws IOException {
        long before = number(served.get(SESSION + "/timeline").json(), "nextSeq");
        served.post(SESSION + "/events", "{\"type\":\"session/title\",\"data\":{\"title\":\"another\"}}");
        JsonObject after = served.get(SESSION + "/timeline").json();
        assertThat(number(after, "nextSeq")).isEqualTo(before + 1);
        assertThat(after.string("title")).hasValue("another");

        served.delete(SESSION);
        assertThat(served.get(SESSION + "/timeline").problem()).isEqualTo("unknown-session");
        served.post("/sessions", "{\"id\":\"sample-parcel-support\"}");
        assertThat(served.get(SESSION + "/timeline").json().string("surfaceEvents"))
                .hasValue("");
    }

    @Test
    void the_end_of_a_surface_is_told_without_the_rest() {
        JsonObject end = served.get(SESSION + "/surface?last=2").json();
        JsonObject all = served.get(SESSION + "/surface").json();
        List<JsonObject> nodes = objects(all, "nodes");
        assertThat(number(end, "count")).isEqualTo(nodes.size());
        assertThat(objects(end, "nodes").stream().map(node -> number(node, "seq")))
                .isEqualTo(nodes.subList(nodes.size() - 2, nodes.size()).stream()
                        .map(node -> number(node, "seq"))
                        .toList());
        JsonObject total = served.get(SESSION + "/tokens?total=true").json();
        assertThat(objects(total, "nodes")).isEmpty();
        assertThat(number(total, "total"))
                .isEqualTo(number(served.get(SESSION + "/tokens").json(), "total"));
    }

    @Test
    void sessions_are_found_by_what_their_headers_say() {
        served.post("/sessions", "{\"id\":\"other\",\"cwd\":\"/srv/Other/place\"}");
        assertThat(found("SUPPORT-desk")).containsExactly("sample-parcel-support");
        assertThat(found("other%2Fpl")).containsExactly("other");
        assertThat(found("nothing%20of%20it")).isEmpty();
        JsonObject first = served.get("/sessions?contains=srv&limit=1").json();
        assertThat(ids(first)).containsExactly("other");
        assertThat(ids(served.get("/sessions?contains=srv&limit=1&before=" + number(first, "next"))
                        .json()))
                .containsExactly("sample-parcel-support");
    }

    private List<String> found(String part) {
        return ids(served.get("/sessions?contains=" + part).json());
    }

    private static List<String> ids(JsonObject page) {
        return objects(page, "sessions").stream()
                .map(session -> session.string("id").orElseThrow())
                .toList();
    }

    @Test
    void a_block_that_is_no_text_is_told_by_kind_and_size() {
        served.post(
                SESSION + "/events",
                "{\"type\":\"user/message\",\"data\":{\"id\":\"i\",\"role\":\"user\",\"source\":{\"kind\":\"user\"},\"content\":"
                        + "[{\"type\":\"image\",\"attachment\":{\"mediaType\":\"image/png\",\"data\":\""
                        + "A".repeat(4_000)
                        + "\"}}]},\"surfaceOp\":\"append\"}");
        JsonObject row = objects(
                        served.get(SESSION + "/rows?from=" + events.size()).json(), "rows")
                .get(0);
        assertThat(row.string("preview").orElseThrow()).matches("\\[image image/png, 40\\d\\d characters]");
        assertThat(Json.parse(row.toText()).toText()).hasSizeLessThan(500);
    }
}
