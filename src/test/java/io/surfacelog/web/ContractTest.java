package io.surfacelog.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.CompactionLease;
import io.surfacelog.command.DriverLease;
import io.surfacelog.command.EventDraft;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.web.Served.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The document and the server say the same: every operation with every answer it names, and none besides. */
class ContractTest {

    private static final String TURN = "{\"type\":\"turn/start\",\"data\":{\"turn\":1}}";
    private static final String LOG = """
            {"type":"session","version":0,"id":"taken","createdAt":1}
            {"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}
            """;

    @TempDir
    private Path directory;

    private Served served;
    private JsonObject document;

    /** By operation, the statuses that were met. */
    private final Map<String, Set<String>> met = new TreeMap<>();

    @BeforeEach
    void start() {
        served = Served.in(
                directory,
                "surfacelog.web.max-body=64KB",
                "surfacelog.web.max-import=512KB",
                "surfacelog.compaction.prune.keep-newest=0",
                "surfacelog.compaction.prune.least-share=0");
        document = served.get("/openapi.json").json();
    }

    @AfterEach
    void stop() {
        served.close();
    }

    @Test
    void every_mapped_operation_is_described_and_none_is_invented() {
        Set<String> described = new TreeSet<>();
        forEachOperation((path, method, operation) ->
                described.add(method.toUpperCase(Locale.ROOT) + " " + path + " " + names(operation, "query")));

        Set<String> mapped = new TreeSet<>();
        served.routes()
                .forEach(route ->
                        mapped.add(route.method() + " " + route.path() + " " + new TreeSet<>(route.parameters())));

        assertThat(described).isEqualTo(mapped);
    }

    @Test
    void every_type_of_problem_is_described_and_none_is_invented() {
        JsonObject types = document.object("components")
                .orElseThrow()
                .object("schemas")
                .orElseThrow()
                .object("Problem")
                .orElseThrow()
                .object("properties")
                .orElseThrow()
                .object("type")
                .orElseThrow();
        Set<String> described = new TreeSet<>();
        types.array("enum")
                .orElseThrow()
                .items()
                .forEach(one -> described.add(one.toText().replace("\"", "")));

        Set<String> there = new TreeSet<>();
        for (ProblemType type : ProblemType.values()) {
            there.add(type.uri());
        }
        assertThat(described).isEqualTo(there);
    }

    @Test
    void every_reference_leads_somewhere_and_the_server_is_this_one() {
        assertThat(document.string("openapi").orElseThrow()).startsWith("3.1.");
        assertThat(document.array("servers").orElseThrow().get(0).toText())
                .isEqualTo("{\"url\":\"" + Served.BASE + "\"}");
        checkReferences(document);
    }

    private void checkReferences(Json json) {
        if (json instanceof JsonArray array) {
            array.items().forEach(this::checkReferences);
        } else if (json instanceof JsonObject object) {
            object.string("$ref").ifPresent(reference -> {
                Json at = document;
                for (String step : reference.substring(2).split("/", -1)) {
                    at = ((JsonObject) at).get(step);
                    assertThat(at).as(reference).isNotNull();
                }
            });
            object.forEach((name, value) -> checkReferences(value));
        }
    }

    @Test
    void every_operation_answers_as_it_is_described() {
        sessions();
        events();
        views();
        brackets();
        transfer();
        feeds();

        Map<String, Set<String>> described = new TreeMap<>();
        forEachOperation((path, method, operation) -> {
            Set<String> statuses =
                    new TreeSet<>(operation.object("responses").orElseThrow().names());
            statuses.remove("default");
            described.put(operation.string("operationId").orElseThrow(), statuses);
        });
        assertThat(met).isEqualTo(described);
    }

    private void sessions() {
        meet("describe", 200, served.get("/openapi.json"));
        meet("describe", 400, served.get("/openapi.json?x=1"));
        meet("listSessions", 200, served.get("/sessions?limit=2&idContains=a&contains=x"));
        meet("listSessions", 400, served.get("/sessions?limit=0"));
        meet("createSession", 201, served.post("/sessions", "{\"id\":\"a\"}"));
        meet("createSession", 400, served.post("/sessions", "{"));
        meet("createSession", 409, served.post("/sessions", "{\"id\":\"a\"}"));
        meet("createSession", 413, served.post("/sessions", large()));
        meet("createSession", 415, text("/sessions"));
        meet("createSession", 422, served.post("/sessions", "{\"cwd\":\"not absolute\"}"));
        meet("showSession", 200, served.get("/sessions/a"));
        meet("showSession", 400, served.get("/sessions/a?x"));
        meet("showSession", 404, served.get("/sessions/none"));
        for (String action : List.of("erase", "fork", "recover", "verify", "compact", "prune")) {
            String operation = action + "Session";
            meet(operation, 400, served.post("/sessions/a/" + action, "{\"nope\":1}"));
            meet(operation, 404, served.post("/sessions/none/" + action, "{}"));
            meet(operation, 413, served.post("/sessions/a/" + action, large()));
            meet(operation, 415, text("/sessions/a/" + action));
        }
        meet("forkSession", 422, served.post("/sessions/a/fork", "{\"boundary\":9}"));
        served.post("/sessions/a/events", TURN);
        meet("forkSession", 409, served.post("/sessions/a/fork", "{}"));
        Answer forked = served.post("/sessions/a/fork", "{\"id\":\"child\",\"beforeOpenTurn\":true}");
        meet("forkSession", 201, forked);
        try (DriverLease lease = served.commands().drive(SessionId.of("a"))) {
            Answer held = served.post("/sessions/a/recover", "{}");
            meet("recoverSession", 409, held);
            assertThat(held.problem()).isEqualTo("lease-held");
            assertThat(lease.token()).isPositive();
        }
        served.post("/sessions", "{\"id\":\"crashed\"}");
        served.post("/sessions/crashed/events", TURN);
        Answer recovered = served.post("/sessions/crashed/recover", "{}");
        meet("recoverSession", 200, recovered);
        assertThat(recovered.json().longValue("nextSeq")).hasValue(2);
        meet(
                "verifySession",
                200,
                served.send(served.request("/sessions/a/verify").POST(none()).build()));
        meet("eraseSession", 409, served.post("/sessions/a/erase", "{}"));
        Answer proof = served.post("/sessions/crashed/erase", "{\"cascade\":false}");
        meet("eraseSession", 200, proof);
        assertThat(proof.text()).doesNotContain(directory.toString());
        meet("deleteSession", 400, served.delete("/sessions/~zz"));
        meet("deleteSession", 404, served.delete("/sessions/none"));
        meet("deleteSession", 200, served.delete("/sessions/child"));
    }

    private void events() {
        served.post("/sessions", "{\"id\":\"e\"}");
        String path = "/sessions/e/events";
        meet("appendEvents", 400, served.post(path, "[]"));
        meet("appendEvents", 400, served.post(path, "{\"type\":\"a\",\"type\":\"b\"}"));
        meet("appendEvents", 404, served.post("/sessions/none/events", TURN));
        meet("appendEvents", 413, served.post(path, large()));
        meet("appendEvents", 415, text(path));
        meet("appendEvents", 422, served.post(path, "{\"type\":\"nope/nope\",\"data\":1}"));
        meet("appendEvents", 412, served.post(path, TURN, "If-Match", "\"3\""));
        meet("appendEvents", 201, served.post(path, TURN, "Idempotency-Key", "k"));
        meet("appendEvents", 200, served.post(path, TURN, "Idempotency-Key", "k"));
        meet("appendEvents", 409, served.post(path, "{\"type\":\"session/title\",\"data\":1}", "Idempotency-Key", "k"));
        meet("readEvents", 200, served.get(path + "?from=0&to=9&limit=5&view=outline"));
        meet("readEvents", 400, served.get(path + "?view=x"));
        meet("readEvents", 404, served.get(path + "?asOf=77"));
        meet("readEvent", 200, served.get(path + "/0"));
        meet("readEvent", 400, served.get(path + "/x"));
        meet("readEvent", 404, served.get(path + "/99"));
        meet("explainEvent", 200, served.get(path + "/0/provenance"));
        meet("explainEvent", 400, served.get(path + "/-1/provenance"));
        meet("explainEvent", 404, served.get(path + "/99/provenance"));
        meet("showRequest", 422, served.get(path + "/0/request"));
        meet("showRequest", 400, served.get(path + "/0/request?shape=x"));
        meet("showRequest", 404, served.get(path + "/99/request"));
        served.post(
                path,
                "[{\"type\":\"step/start\",\"data\":{\"turn\":1,\"step\":1}},"
                        + "{\"type\":\"assistant/message\",\"data\":{\"turn\":1,\"step\":1,\"message\":{\"id\":\"x\",\"role\":"
                        + "\"assistant\",\"source\":{\"kind\":\"model\",\"provider\":\"p\",\"model\":\"m\"},\"content\":[]}},"
                        + "\"surfaceOp\":\"append\"}]");
        meet("showRequest", 200, served.get(path + "/2/request?shape=openai"));
    }

    private void views() {
        meet("showTimeline", 200, served.get("/sessions/e/timeline?points=2"));
        meet("showTimeline", 400, served.get("/sessions/e/timeline?points=0"));
        meet("showTimeline", 404, served.get("/sessions/none/timeline"));
        meet("readRows", 200, served.get("/sessions/e/rows?from=0&to=9&limit=5"));
        meet("readRows", 400, served.get("/sessions/e/rows?limit=5001"));
        meet("readRows", 404, served.get("/sessions/none/rows"));
        for (Map.Entry<String, String> view : Map.of(
                        "surface", "showSurface",
                        "messages", "showMessages",
                        "transcript", "showTranscript",
                        "replacements", "listReplacements",
                        "usage", "showUsage",
                        "tokens", "priceSurface")
                .entrySet()) {
            String path = "/sessions/e/" + view.getKey();
            meet(view.getValue(), 200, served.get(path + "?asOf=1"));
            meet(view.getValue(), 400, served.get(path + "?asOf=1.5"));
            meet(view.getValue(), 404, served.get(path + "?asOf=99"));
        }
    }

    private void brackets() {
        SessionId id = SessionId.of("long");
        served.post("/sessions", "{\"id\":\"long\"}");
        served.post("/sessions/long/events", longTurn());
        meet("compactSession", 422, served.post("/sessions/long/compact", "{\"start\":0,\"end\":0}"));
        try (CompactionLease lease = served.commands().leaseCompaction(id)) {
            Answer running = served.post("/sessions/long/compact", "{\"start\":3,\"end\":5}");
            meet("compactSession", 409, running);
            assertThat(running.problem()).isEqualTo("open-compaction");
            meet(
                    "pruneSession",
                    409,
                    served.send(
                            served.request("/sessions/long/prune").POST(none()).build()));
            assertThat(lease.token()).isPositive();
        }
        Answer pruned =
                served.send(served.request("/sessions/long/prune").POST(none()).build());
        meet("pruneSession", 200, pruned);
        assertThat(pruned.json().array("pruned").orElseThrow().size())
                .as(pruned.text())
                .isOne();
        Answer compacted = served.post("/sessions/long/compact", "{\"start\":3,\"end\":11,\"widened\":true}");
        meet("compactSession", 200, compacted);
        assertThat(compacted.json().string("outcome")).as(compacted.text()).hasValue("compacted");
    }

    /** A turn with a tool result that is too long, which the model has seen. */
    private static String longTurn() {
        String step = "{\"type\":\"step/%s\",\"data\":{\"turn\":1,\"step\":%d}}";
        String user =
                "{\"type\":\"user/message\",\"data\":{\"id\":\"u\",\"role\":\"user\",\"source\":{\"kind\":\"user\"},"
                        + "\"content\":[{\"type\":\"text\",\"text\":\"" + "where is it? ".repeat(500)
                        + "\"}]},\"surfaceOp\":\"append\"}";
        String result = "{\"type\":\"tool/result\",\"data\":{\"turn\":1,\"step\":1,\"message\":{\"id\":\"r\",\"role\":"
                + "\"user\",\"source\":{\"kind\":\"tool\",\"callId\":\"c\"},\"content\":[{\"type\":\"tool-result\","
                + "\"toolCallId\":\"c\",\"content\":[{\"type\":\"text\",\"text\":\"" + "found it there ".repeat(2_000)
                + "\"}]}]}},\"surfaceOp\":\"append\"}";
        return "["
                + String.join(
                        ",",
                        TURN,
                        user,
                        step.formatted("start", 1),
                        answer(1, "{\"type\":\"tool-call\",\"id\":\"c\",\"name\":\"find\",\"arguments\":\"{}\"}"),
                        "{\"type\":\"tool/call\",\"data\":{\"turn\":1,\"step\":1,\"callId\":\"c\",\"name\":\"find\","
                                + "\"arguments\":\"{}\"}}",
                        result,
                        step.formatted("end", 1),
                        step.formatted("start", 2),
                        answer(2, "{\"type\":\"text\",\"text\":\"It is there.\"}"),
                        step.formatted("end", 2))
                + "]";
    }

    private static String answer(int step, String block) {
        return "{\"type\":\"assistant/message\",\"data\":{\"turn\":1,\"step\":" + step + ",\"message\":{\"id\":\"a"
                + step
                + "\",\"role\":\"assistant\",\"source\":{\"kind\":\"model\",\"provider\":\"p\",\"model\":\"m\"},"
                + "\"content\":[" + block + "]}},\"surfaceOp\":\"append\"}";
    }

    private void transfer() {
        meet("importSession", 201, upload("/import?as=taken~002f1&stampMarkers&keepUnknown=true", LOG));
        meet("importSession", 400, upload("/import?as=", LOG));
        meet("importSession", 409, upload("/import?as=taken~002f1", LOG));
        meet("importSession", 413, upload("/import", large().repeat(9)));
        meet("importSession", 415, served.post("/import", "{}"));
        Answer refused = upload("/import", LOG.replace("\"seq\":0", "\"seq\":1"));
        meet("importSession", 422, refused);
        assertThat(refused.json().longValue("line")).hasValue(2);
        assertThat(refused.json().longValue("at")).hasValue(0);
        meet("exportSession", 200, served.get("/sessions/taken~002f1/export"));
        meet("exportSession", 400, served.get("/sessions/taken~002f1/export?format=xml"));
        meet("exportSession", 404, served.get("/sessions/none/export"));
    }

    private void feeds() {
        meet("followAll", 400, served.get("/feed?after=x"));
        meet("followSession", 400, served.get("/sessions/e/feed?from=x"));
        meet("followSession", 404, served.get("/sessions/none/feed"));
        for (String path : List.of("/feed", "/sessions/e/feed")) {
            try (FeedListener listener = FeedListener.of(served, path)) {
                assertThat(listener.nextWord().type()).isEqualTo("open");
                met.get(path.equals("/feed") ? "followAll" : "followSession").add("200");
            }
        }
    }

    /** Notes an answer, which has to be of this status and to look as every answer does. */
    private void meet(String operation, int status, Answer answer) {
        assertThat(answer.status()).as(operation + ": " + answer.text()).isEqualTo(status);
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("Content-Security-Policy")).contains("default-src 'none'", "frame-ancestors 'none'");
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        if (status >= 400) {
            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(answer.json().longValue("status")).hasValue(status);
            assertThat(answer.json().string("detail").orElse("")).isNotEmpty();
        }
        met.computeIfAbsent(operation, name -> new TreeSet<>()).add(String.valueOf(status));
    }

    private static String large() {
        return "{\"id\":\"" + "x".repeat(70_000) + "\"}";
    }

    private static HttpRequest.BodyPublisher none() {
        return HttpRequest.BodyPublishers.noBody();
    }

    private Answer text(String path) {
        return served.send(served.request(path, "Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build());
    }

    private Answer upload(String path, String log) {
        return served.send(served.request(path, "Content-Type", "application/jsonl")
                .POST(HttpRequest.BodyPublishers.ofString(log))
                .build());
    }

    @Test
    void a_log_goes_out_and_comes_in_again_field_for_field_in_both_kinds_of_file() throws Exception {
        SessionId id = served.commands()
                .create(SessionHeader.builder().id(SessionId.of("s")).build());
        List<EventDraft> drafts = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            drafts.add(EventDraft.of(OpaquePayload.of("session/title", Json.parse("{\"n\":1.0e" + i % 9 + "}"))));
        }
        served.commands().appendAll(id, drafts);
        for (String format : List.of("jsonl", "zstd")) {
            HttpResponse<byte[]> out =
                    served.get("/sessions/s/export?format=" + format).response();
            Answer in = served.send(served.request("/import?as=" + format, "Content-Type", "application/octet-stream")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(out.body()))
                    .build());
            assertThat(in.status()).as(in.text()).isEqualTo(201);
            assertThat(served.queries().events(SessionId.of(format), 0, 3_000))
                    .isEqualTo(served.queries().events(id, 0, 3_000));
        }
        assertThat(new String(served.get("/sessions/s/export").response().body(), StandardCharsets.UTF_8).lines())
                .hasSize(2_501);
    }

    private interface Operation {
        void accept(String path, String method, JsonObject operation);
    }

    private void forEachOperation(Operation action) {
        document.object("paths")
                .orElseThrow()
                .forEach((path, methods) -> ((JsonObject) methods)
                        .forEach((method, operation) -> action.accept(path, method, (JsonObject) operation)));
    }

    private static Set<String> names(JsonObject operation, String where) {
        Set<String> names = new TreeSet<>();
        operation
                .array("parameters")
                .ifPresent(parameters -> parameters.items().forEach(one -> {
                    JsonObject parameter = (JsonObject) one;
                    if (parameter.string("in").filter(where::equals).isPresent()) {
                        names.add(parameter.string("name").orElseThrow());
                    }
                }));
        return names;
    }
}
