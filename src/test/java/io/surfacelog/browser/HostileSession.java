package io.surfacelog.browser;

import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.CompactionStart;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonText;
import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolError;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.Usage;
import io.surfacelog.event.UserMessage;
import io.surfacelog.testing.LogBuilder;
import java.util.List;

/**
 * A session every text of which would like to be more than a text: to run as a script, to hide or fetch something, to turn the
 * line round. Whatever succeeds sets {@code window.pwned} or asks {@code elsewhere.example} for something.
 */
final class HostileSession {

    static final String ELSEWHERE = "elsewhere.example";

    /** What is tried wherever there is a text. */
    static final List<String> PAYLOADS = List.of(
            "<script>window.pwned='script'</script>",
            "\"'><img src=x onerror=\"window.pwned='img'\">",
            "<svg/onload=window.pwned='svg'>",
            "</title></textarea></style></script><script>window.pwned='closed'</script>",
            "<style>*{display:none!important}</style>",
            "javascript:window.pwned='url'//",
            "data:text/html,<script>parent.pwned='data'</script>",
            "<iframe srcdoc=\"<script>parent.pwned='frame'</script>\"></iframe>",
            "<img src=http://" + ELSEWHERE + "/pixel.png>",
            "<link rel=stylesheet href=http://" + ELSEWHERE + "/style.css>",
            "background:url(http://" + ELSEWHERE + "/css.png)",
            "<base href=http://" + ELSEWHERE + "/><form action=http://" + ELSEWHERE + "><button>go",
            "${window.pwned='template'} {{constructor.constructor('window.pwned=1')()}} <%= 1 %>",
            "__proto__ constructor prototype toString",
            "\u202Egnp.txt\u202C \u2066x\u2069 \u200B",
            "one\u2028two\u2029three\u0000four\u0007\u001B[31mred",
            "\uD800 lone \uDC00 surrogates",
            "🏳️‍🌈 e\u0301 ｗｉｄｅ ﷽",
            "%2e%2e%2f..\\..//etc/passwd?x=#y&z=%00",
            "] [ } { , : \" \\ \\u0000 \\n");

    static final String LONG_WORD = "w".repeat(10_000);
    static final String ALL = String.join(" ", PAYLOADS) + " " + LONG_WORD;

    /** An id is a part of URLs, too. */
    static final SessionId ID = SessionId.of("<script>window.pwned='id'</script>\"' /..;?#%\u202E\uD800\u0000");

    private HostileSession() {}

    static SessionHeader header() {
        return SessionHeader.builder()
                .id(ID)
                .createdAt(8_999_999_999_999_999L) // beyond what a calendar takes
                .cwd("/" + ALL)
                .agentPreset(ALL)
                .member("label", Json.of(ALL))
                .member("<script>window.pwned='member'</script>", Json.of(ALL))
                .build();
    }

    static List<SessionEvent> events() {
        LogBuilder log = LogBuilder.log();
        log.turnStart(1);
        for (String payload : PAYLOADS) {
            log.add(OpaquePayload.of("session/title", object("title", payload)));
            log.user(payload);
        }
        log.add(OpaquePayload.of("session/title", object("title", ALL)));
        unknown(log, "hostile/<script>window.pwned='type'</script>" + PAYLOADS.get(1), object(ALL, ALL));
        unknown(log, "__proto__", object("__proto__", ALL));
        log.append(UserMessage.of(Message.of(
                ALL, Message.USER, MessageSource.ofKind(ALL), List.of(TextBlock.of(ALL), TextBlock.of(LONG_WORD)))));
        log.add(requestHeader());
        step(log);
        log.add(CompactionStart.of(ALL, null));
        log.add(OpaquePayload.of(
                "compaction/end",
                JsonObject.builder()
                        .put("compactionId", ALL)
                        .put("turn", 1)
                        .put("error", object("message", ALL))
                        .build()));
        log.replace(2, 6, LogBuilder.userMessage(ALL));
        log.add(TurnEnd.of(1, TurnEndReason.error(ALL, ALL, 500)));
        log.add(TurnEnd.of(1, TurnEndReason.ofKind(PAYLOADS.get(0))));
        return log.events();
    }

    /** An event of a type that nobody has declared, which a reader may ignore. */
    private static void unknown(LogBuilder log, String type, JsonObject data) {
        long seq = log.surface().nextSeq();
        log.add(SessionEvent.of(seq, 1_000 + seq, type, JsonText.of(data), null, true));
    }

    private static void step(LogBuilder log) {
        log.stepStart(1);
        for (String payload : PAYLOADS) {
            log.chunk(StreamChunk.text(0, payload));
        }
        ToolCallBlock call = ToolCallBlock.of(ALL, ALL, ALL);
        log.append(AssistantMessage.of(
                        1,
                        1,
                        Message.of(
                                ALL,
                                Message.ASSISTANT,
                                MessageSource.model(ALL, ALL),
                                List.of(TextBlock.of(ALL), ReasoningBlock.of(ALL), call)))
                .withUsage(Usage.of(9_007_199_254_740_991L, 1)));
        log.toolCall(ALL);
        log.append(ToolResult.of(
                        1,
                        1,
                        Message.of(
                                ALL, Message.USER, MessageSource.tool(ALL), List.of(ToolResultBlock.error(ALL, ALL))))
                .withError(new ToolError(ALL, ALL)));
        log.stepEnd();
        log.append(UserMessage.of(Message.of(JsonObject.builder()
                .put("id", "blocks")
                .put("role", "user")
                .put("source", object("kind", "user"))
                .put(
                        "content",
                        JsonArray.of(List.of(
                                JsonObject.builder()
                                        .put("type", "image")
                                        .put("attachment", object("url", "http://" + ELSEWHERE + "/attachment.svg"))
                                        .put("mediaType", "text/html")
                                        .put("data", "javascript:window.pwned='image'")
                                        .build(),
                                object("type", PAYLOADS.get(0)),
                                object("html", PAYLOADS.get(0)))))
                .build())));
    }

    private static RequestHeader requestHeader() {
        JsonObject tool = JsonObject.builder()
                .put("name", ALL)
                .put("description", ALL)
                .put("parameters", object(ALL, ALL))
                .build();
        return RequestHeader.of(
                JsonObject.builder()
                        .put(
                                "config",
                                JsonObject.builder()
                                        .put("provider", ALL)
                                        .put("model", ALL)
                                        .build())
                        .put("system", ALL)
                        .put("tools", JsonArray.of(List.of(tool)))
                        .build(),
                RequestHeader.INITIAL);
    }

    private static JsonObject object(String name, String value) {
        return JsonObject.builder().put(name, value).build();
    }
}
