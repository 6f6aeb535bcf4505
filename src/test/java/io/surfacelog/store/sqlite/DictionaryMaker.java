package io.surfacelog.store.sqlite;

import com.github.luben.zstd.ZstdDictTrainer;
import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonText;
import io.surfacelog.event.LogOnlyPayload;
import io.surfacelog.event.Message;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCall;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.UserMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes the dictionary that new stores get, of the data of invented sessions. To make it anew, run the main method with
 * the path of the resource; the same samples always give the same bytes.
 */
final class DictionaryMaker {

    private static final int DICTIONARY_BYTES = 16 << 10;
    private static final int SESSIONS = 400;

    /** In how many of a hundred texts the words are made up. */
    private static final int UNKNOWN = 60;

    private static final String[] SUBJECTS = {
        "The parcel",
        "Your order",
        "The customer",
        "This file",
        "The test",
        "The build",
        "The last commit",
        "The report",
        "The server",
        "The service",
        "The request",
        "The database",
        "The function",
        "The user",
        "The document",
        "The invoice",
        "The meeting",
        "The first result",
        "The second step",
        "The error message",
        "The configuration",
    };

    private static final String[] PREDICATES = {
        "has been",
        "was not",
        "is now",
        "should be",
        "could not be",
        "will be",
        "must have been",
        "is still being",
        "had already been",
        "seems to be",
    };

    private static final String[] ENDINGS = {
        "found in the list of open items",
        "sent to the address given",
        "written to the output directory",
        "changed since the last run",
        "checked against the expected value",
        "replaced by a newer version",
        "read from the configuration file",
        "moved to another folder",
        "confirmed by the support team",
        "updated and tested again",
        "created without any error",
        "ready for the next step",
        "removed from the index",
    };

    private static final String[] REQUESTS = {
        "Please check whether", "Could you tell me why", "I would like to know if",
                "Let me look at this: it seems that",
        "Here is what I found:", "I will now see whether", "To answer your question:", "As far as I can see,",
    };

    private static final String[][] TOOLS = {
        {"read_file", "path"}, {"write_file", "path"}, {"run_command", "command"}, {"search", "query"},
        {"find_order", "id"}, {"list_directory", "path"}, {"get_weather", "city"}, {"send_mail", "to"},
    };

    private final SplittableRandom random = new SplittableRandom(1);

    private DictionaryMaker() {}

    public static void main(String[] args) throws IOException {
        Files.write(Path.of(args[0]), dictionary());
    }

    static byte[] dictionary() {
        DictionaryMaker maker = new DictionaryMaker();
        ZstdDictTrainer trainer = new ZstdDictTrainer(8 << 20, DICTIONARY_BYTES, 3);
        for (int session = 0; session < SESSIONS; session++) {
            maker.samples(1 + session % 40, 1 + session % 3).forEach(trainer::addSample);
        }
        return trainer.trainSamples();
    }

    private List<byte[]> samples(long turn, long step) {
        String[] tool = pick(TOOLS);
        String callId = "call_" + hex(24);
        ToolCallBlock call = ToolCallBlock.of(
                callId, tool[0], "{\"" + tool[1] + "\":\"" + pick(ENDINGS).replace(' ', '/') + "\"}");
        String answer = text(2 + random.nextInt(4));
        List<byte[]> samples = new ArrayList<>();
        add(samples, TurnStart.of(turn));
        add(samples, UserMessage.of(text(1 + random.nextInt(3))));
        add(samples, StepStart.of(turn, step));
        samples.add(TextRun.encode(chunks(turn, step, answer)));
        add(
                samples,
                AssistantMessage.of(turn, step, Message.assistant("provider", "model", TextBlock.of(answer), call)));
        add(samples, AssistantMessage.of(turn, step, Message.assistant("provider", "model", TextBlock.of(answer))));
        add(samples, ToolCall.of(turn, step, call));
        add(samples, ToolResult.of(turn, step, ToolResultBlock.of(callId, text(1 + random.nextInt(6)))));
        add(samples, StepEnd.of(turn, step));
        add(samples, TurnEnd.of(turn, TurnEndReason.completed()));
        return samples;
    }

    private List<byte[]> chunks(long turn, long step, String answer) {
        List<byte[]> chunks = new ArrayList<>();
        int at = 0;
        while (at < answer.length()) {
            int end = Math.min(answer.length(), at + 3 + random.nextInt(9));
            Json data = AssistantChunk.of(turn, step, StreamChunk.text(0, answer.substring(at, end)))
                    .json();
            chunks.add(JsonText.of(data).utf8());
            at = end;
        }
        return chunks;
    }

    private void add(List<byte[]> samples, LogOnlyPayload payload) {
        samples.add(JsonText.of(payload.json()).utf8());
    }

    private void add(List<byte[]> samples, SurfacePayload payload) {
        // the ids of messages are random by nature; here the seed decides, so that the same samples come out every time
        String json = JsonText.of(payload.json()).text().replaceAll("\"[0-9a-f-]{36}\"", '"' + uuid() + '"');
        samples.add(json.getBytes(StandardCharsets.UTF_8));
    }

    private String text(int sentences) {
        // names, other languages, code: letters that no list of phrases would give
        return random.nextInt(100) < UNKNOWN ? unknownWords(10 * sentences) : knownSentences(sentences);
    }

    private String unknownWords(int words) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < words; i++) {
            text.append(i == 0 ? "" : " ");
            for (int letters = 2 + random.nextInt(8); letters > 0; letters--) {
                text.append((char) ('a' + random.nextInt(26)));
            }
        }
        return text.toString();
    }

    private String knownSentences(int sentences) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < sentences; i++) {
            text.append(i == 0 ? "" : " ");
            if (random.nextInt(3) == 0) {
                text.append(pick(REQUESTS)).append(' ');
            }
            text.append(pick(SUBJECTS))
                    .append(' ')
                    .append(pick(PREDICATES))
                    .append(' ')
                    .append(pick(ENDINGS))
                    .append('.');
        }
        return text.toString();
    }

    private String uuid() {
        return hex(8) + '-' + hex(4) + '-' + hex(4) + '-' + hex(4) + '-' + hex(12);
    }

    private String hex(int digits) {
        StringBuilder hex = new StringBuilder();
        for (int i = 0; i < digits; i++) {
            hex.append(Character.forDigit(random.nextInt(16), 16));
        }
        return hex.toString();
    }

    private <T> T pick(T[] from) {
        return from[random.nextInt(from.length)];
    }
}
