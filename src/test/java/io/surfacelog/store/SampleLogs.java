package io.surfacelog.store;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonText;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Logs to store: made from a seed, so that a failure can be repeated. */
public final class SampleLogs {

    /** Ids that a careless column, look-up or path would break. */
    public static final List<String> ODD_TEXTS = List.of(
            "plain",
            "\"",
            "\"quoted\"",
            "\\u0000",
            "nul\u0000inside",
            "\u0000",
            "lone\ud800",
            "\udc00lone",
            "pair\ud83d\ude00",
            "ends\ud83d",
            " ",
            "tab\tand\nline",
            "';--",
            "%_*[a]",
            "../../etc/passwd",
            "Ünï",
            "\uffff\ufffd");

    private SampleLogs() {}

    public static SessionHeader header(String id) {
        return SessionHeader.builder().id(SessionId.of(id)).createdAt(1_000).build();
    }

    public static SessionEvent turnStart(long seq) {
        return SessionEvent.of(seq, 1_000 + seq, EventType.TURN_START, JsonText.ofCompact("{\"turn\":1}"), null, false);
    }

    public static SessionEvent user(long seq, String text) {
        return user(seq, text, SurfaceIntent.append());
    }

    public static SessionEvent user(long seq, String text, SurfaceIntent intent) {
        return SessionEvent.of(
                seq,
                1_000 + seq,
                EventType.USER_MESSAGE,
                JsonText.of(JsonObject.builder().put("text", text).build()),
                intent,
                false);
    }

    public static SessionEvent chunk(long seq) {
        return SessionEvent.of(
                seq,
                1_000 + seq,
                EventType.ASSISTANT_CHUNK,
                JsonText.ofCompact(
                        "{\"turn\":1,\"step\":1,\"chunk\":{\"type\":\"text-delta\",\"index\":0,\"text\":\"a\"}}"),
                null,
                false);
    }

    /** So many surface events from this seq. */
    public static List<SessionEvent> users(long from, int count) {
        List<SessionEvent> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(user(from + i, "message " + (from + i)));
        }
        return events;
    }

    /** A log as a session might write it, chunk-heavy, with replaces, sources, odd types and odd data. */
    public static List<SessionEvent> random(Random random, long from, int count) {
        List<SessionEvent> events = new ArrayList<>();
        for (long seq = from; seq < from + count; seq++) {
            events.add(random(random, seq));
        }
        return events;
    }

    private static SessionEvent random(Random random, long seq) {
        long time = random.nextInt(4) == 0 ? random.nextLong() >> 11 : 1_700_000_000_000L + seq;
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> chunk(seq);
            case 3 -> user(seq, oddText(random));
            case 4 -> user(seq, oddText(random), oddIntent(random, seq));
            case 5 ->
                SessionEvent.of(
                        seq,
                        time,
                        EventType.TOOL_RESULT,
                        oddData(random),
                        SurfaceIntent.append().citing(),
                        false);
            case 6 -> SessionEvent.of(seq, time, oddText(random), oddData(random), null, true);
            default -> SessionEvent.of(seq, time, EventType.TODO_WRITE, oddData(random), null, random.nextBoolean());
        };
    }

    private static SurfaceIntent oddIntent(Random random, long seq) {
        SurfaceIntent intent = random.nextBoolean()
                ? SurfaceIntent.append()
                : SurfaceIntent.replace(random.nextLong() >>> 11, random.nextLong() >>> 11);
        if (random.nextBoolean() || seq == 0) {
            return intent;
        }
        EventSeqs sources = EventSeqs.range(random.nextLong(seq), seq - 1);
        return intent.citing(
                random.nextBoolean() ? sources : EventSeqs.of(seq - 1, 0).and(sources));
    }

    private static JsonText oddData(Random random) {
        Json text = Json.of(oddText(random));
        return switch (random.nextInt(5)) {
            case 0 -> JsonText.of(text);
            case 1 -> JsonText.ofCompact("9007199254740993.10");
            case 2 -> JsonText.ofCompact("null");
            case 3 -> JsonText.ofCompact("[1.0,1e400000,\"\\u0000\",\"\\ud800\"]".replace("1e400000", "1e-400000"));
            default ->
                JsonText.of(JsonObject.builder()
                        .put("long", "x".repeat(random.nextInt(200) == 0 ? 20_000 : 10))
                        .put(oddText(random), text)
                        .build());
        };
    }

    public static String oddText(Random random) {
        if (random.nextBoolean()) {
            return ODD_TEXTS.get(random.nextInt(ODD_TEXTS.size()));
        }
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i >= 0; i--) {
            text.append((char)
                    switch (random.nextInt(5)) {
                        case 0 -> 0xD800 + random.nextInt(0x800);
                        case 1 -> random.nextInt(0x20);
                        case 2 -> "\"\\u0{".charAt(random.nextInt(5));
                        case 3 -> random.nextInt(0x10000);
                        default -> 'a' + random.nextInt(26);
                    });
        }
        return text.toString();
    }
}
