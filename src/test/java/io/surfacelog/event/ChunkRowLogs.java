package io.surfacelog.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Logs made from a seed: mostly stream deltas in runs that break in all the ways there are, with odd strings and digits. */
public final class ChunkRowLogs {

    private static final String[] PIECES = {
        "a",
        "tok ",
        "",
        "\"",
        "\\",
        "\n",
        "\r\n",
        "\0",
        "é",
        "漢",
        "\uD83D\uDE00",
        "\uD83D",
        "\uDE00",
        "\u2028",
        "\u2029",
        "\u0085",
        "\uFEFF",
        "\uFFFD",
        "\u007f",
        "/"
    };
    private static final String[] DIGITS = {"0", "1", "1.0", "1e0", "2.5", "-1", "9007199254740993", "0.10"};

    private ChunkRowLogs() {}

    /** A log of this many events, with seqs from 0. */
    public static List<SessionEvent> random(Random random, int size) {
        List<SessionEvent> log = new ArrayList<>(size);
        long time = 1_790_000_000_000L;
        while (log.size() < size) {
            int run = Math.min(1 + random.nextInt(9), size - log.size());
            boolean chunks = random.nextInt(4) > 0;
            String chunk = chunkModel(random);
            for (int i = 0; i < run; i++) {
                time += random.nextInt(40) == 0 ? -JsonNumber.MAX_SAFE / 4 : random.nextInt(30) - 5;
                time = Math.max(-JsonNumber.MAX_SAFE, time);
                log.add(chunks ? chunk(random, log.size(), time, chunk) : other(random, log.size(), time));
            }
        }
        return log;
    }

    /** A string of up to five pieces, lone surrogates, NUL and line separators among them. */
    public static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    /** A candidate as the text of the event that it asks to become. */
    public static String textOf(EventCandidate candidate) {
        return candidate.event().map(SessionEvent::toText).orElseGet(() -> {
            JsonObject.Builder object = JsonObject.builder()
                    .put("type", candidate.type())
                    .put("seq", candidate.seq())
                    .put("time", candidate.time())
                    .put("data", candidate.data().value())
                    .putIfPresent("surfaceOp", candidate.surfaceOp())
                    .putIfPresent("sourceEventSeqs", candidate.sourceEventSeqs());
            return (candidate.ignorable() ? object.put("ignorable", true) : object)
                    .build()
                    .toText();
        });
    }

    /** The data of a chunk with {@code %s} where its text goes. */
    private static String chunkModel(Random random) {
        String place = "\"turn\":" + digits(random) + ",\"step\":" + digits(random);
        String index = "\"index\":" + digits(random);
        String chunk = switch (random.nextInt(8)) {
            case 0, 1 -> "\"type\":\"text-delta\"," + index + ",\"text\":%s";
            case 2 -> "\"type\":\"reasoning-delta\"," + index + ",\"text\":%s";
            case 3 ->
                "\"type\":\"tool-call-delta\"," + index + ",\"id\":"
                        + json(text(random).replace("%", "")) + ",\"name\":\"bash\",\"argumentsDelta\":%s";
            case 4 -> "\"type\":\"tool-call-delta\"," + index + ",\"id\":\"k1\",\"argumentsDelta\":%s";
            case 5 -> index + ",\"type\":\"text-delta\",\"text\":%s";
            case 6 -> "\"type\":\"text-delta\"," + index + ",\"text\":%s,\"extra\":null";
            default -> "\"type\":\"tool-call-delta\"," + index + ",\"id\":7,\"argumentsDelta\":%s";
        };
        return random.nextInt(12) == 0
                ? "{\"chunk\":{" + chunk + "}," + place + "}"
                : "{" + place + ",\"chunk\":{" + chunk + "}}";
    }

    private static SessionEvent chunk(Random random, long seq, long time, String model) {
        JsonText data = JsonText.ofCompact(model.replace("%s", json(text(random))));
        return SessionEvent.of(seq, time, EventType.ASSISTANT_CHUNK, data, null, random.nextInt(20) == 0);
    }

    private static SessionEvent other(Random random, long seq, long time) {
        if (random.nextInt(3) > 0) {
            String data = "{\"turn\":" + digits(random) + "," + json("k" + text(random)) + ":[" + digits(random)
                    + ",null,{}]}";
            return SessionEvent.of(
                    seq, time, "hook/" + text(random), JsonText.ofCompact(data), null, random.nextBoolean());
        }
        String message = "{\"id\":\"m" + seq
                + "\",\"role\":\"user\",\"source\":{\"kind\":\"user\"},\"content\":[{\"type\":\"text\",\"text\":"
                + json(text(random)) + "}]}";
        SurfaceIntent intent = random.nextBoolean()
                ? SurfaceIntent.append()
                : SurfaceIntent.replace(random.nextInt(9), random.nextInt(9))
                        .citing(EventSeqs.range(0, random.nextInt(9)));
        return SessionEvent.of(seq, time, EventType.USER_MESSAGE, JsonText.ofCompact(message), intent, false);
    }

    private static String digits(Random random) {
        // mostly plain, so that runs are runs
        return random.nextInt(5) > 0 ? "1" : DIGITS[random.nextInt(DIGITS.length)];
    }

    private static String json(String text) {
        return JsonString.of(text).toText();
    }
}
