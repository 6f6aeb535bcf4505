package io.surfacelog.model;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.event.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the demonstration model answers: a pure function of what it is asked. */
final class DemoScript {

    private static final Pattern SUM =
            Pattern.compile("[-+(]*\\d[\\d.\\s()+*/%×÷-]*[+*/%×÷-][\\d.\\s()+*/%×÷-]*[\\d)]");
    private static final Pattern TIME = Pattern.compile("\\b(time|clock|date|today)\\b");
    private static final Pattern ZONE = Pattern.compile("\\b[A-Z][A-Za-z]+/[A-Z][A-Za-z_]+\\b");
    private static final Pattern COUNT = Pattern.compile("\\bcount to (\\d{1,4})\\b");
    private static final Pattern HELP = Pattern.compile("\\bhelp\\b|\\bwhat can you\\b");
    private static final Pattern WORD = Pattern.compile("\\S+\\s*");
    private static final int MOST = 1_000;
    private static final int QUOTED = 200;

    private static final String ABILITIES = """
            I am the demonstration model: no model is configured, so a script answers. \
            Ask me for the time ("what time is it in Europe/Berlin?") and I call the tool clock; \
            give me something to reckon ("what is 12 * (3 + 4)?") and I call the tool calculator; \
            say "count to 50" for a long answer that you can cancel, or "help" to read this again.""";

    private final Duration pause;

    DemoScript(Duration pause) {
        if (pause.isNegative()) {
            throw new IllegalArgumentException("expected a pause from 0, found " + pause);
        }
        this.pause = pause;
    }

    ScriptedAnswer answer(ModelCall call) {
        List<Message> messages = call.request().messages();
        List<ToolResultBlock> results = lastResults(messages);
        ScriptedAnswer answer = results.isEmpty() ? toText(call, messages) : speak(toResults(results));
        return answer.usage(Usage.of(words(messages), answer.chunks()));
    }

    private ScriptedAnswer toText(ModelCall call, List<Message> messages) {
        String asked = lastText(messages);
        String lower = asked.toLowerCase(Locale.ROOT);
        boolean brief = asked.length() <= QUOTED;
        Matcher sum = SUM.matcher(asked);
        if (brief && sum.find()) {
            String expression = sum.group().strip();
            return useTool(
                    call,
                    DemoTools.CALCULATOR,
                    JsonObject.builder().put("expression", expression).build());
        }
        if (brief && TIME.matcher(lower).find()) {
            Matcher zone = ZONE.matcher(asked);
            JsonObject.Builder arguments = JsonObject.builder();
            return useTool(
                    call, DemoTools.CLOCK, (zone.find() ? arguments.put("zone", zone.group()) : arguments).build());
        }
        Matcher count = COUNT.matcher(lower);
        if (count.find()) {
            return speak(counting(Math.min(MOST, Integer.parseInt(count.group(1)))));
        }
        boolean first = messages.stream().noneMatch(message -> message.role().equals(Message.ASSISTANT));
        if (HELP.matcher(lower).find()) {
            return speak(ABILITIES);
        }
        String heard = asked.isBlank() ? "I found no text to answer. " : "You said: “" + shortened(asked) + "”. ";
        return speak(first ? heard + ABILITIES : heard + "I only follow a script; say \"help\" to read what I can do.");
    }

    private ScriptedAnswer useTool(ModelCall call, String name, JsonObject arguments) {
        if (!isOffered(call, name)) {
            return speak("For that I would call the tool " + name + ", but this session does not offer it.");
        }
        String id = "demo_" + call.turn() + "_" + call.step();
        return speak("Let me ask the " + name + ".").toolCall(id, name, arguments.toText());
    }

    private static boolean isOffered(ModelCall call, String name) {
        Optional<RequestHeader> header = call.request().header();
        if (header.isEmpty()) {
            return false;
        }
        for (Json tool : header.get().tools().items()) {
            if (tool instanceof JsonObject definition
                    && definition.string("name").filter(name::equals).isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** What the tools said, one sentence each. */
    private static String toResults(List<ToolResultBlock> results) {
        List<String> sentences = new ArrayList<>();
        for (ToolResultBlock result : results) {
            String said = shortened(text(result.content()));
            sentences.add(result.isError() ? "The tool failed: " + said : "The answer is " + said + ".");
        }
        return String.join(" ", sentences);
    }

    /** The results at the end of the conversation, none if it ends otherwise. */
    private static List<ToolResultBlock> lastResults(List<Message> messages) {
        List<ToolResultBlock> results = new ArrayList<>();
        for (int i = messages.size() - 1; i >= 0; i--) {
            List<ContentBlock> content = messages.get(i).content();
            if (content.isEmpty() || !(content.get(0) instanceof ToolResultBlock result)) {
                break;
            }
            results.add(0, result);
        }
        return results;
    }

    private static String lastText(List<Message> messages) {
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (messages.get(i).role().equals(Message.USER)) {
                return messages.get(i).text();
            }
        }
        return "";
    }

    private ScriptedAnswer speak(String text) {
        return ScriptedAnswer.begin().text(pause, inWords(text));
    }

    private static String[] inWords(String text) {
        return WORD.matcher(text).results().map(word -> word.group()).toArray(String[]::new);
    }

    private static String counting(int to) {
        StringBuilder numbers = new StringBuilder();
        for (int i = 1; i <= to; i++) {
            numbers.append(i).append(i == to ? "." : ", ");
        }
        return numbers.isEmpty() ? "There is nothing to count." : numbers.toString();
    }

    private static String shortened(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.codePointCount(0, line.length()) <= QUOTED
                ? line
                : line.substring(0, line.offsetByCodePoints(0, QUOTED)) + "…";
    }

    private static String text(List<ContentBlock> content) {
        StringBuilder text = new StringBuilder();
        for (ContentBlock block : content) {
            if (block instanceof TextBlock said) {
                text.append(said.text());
            }
        }
        return text.toString();
    }

    private static long words(List<Message> messages) {
        return messages.stream()
                .mapToLong(message -> inWords(message.text()).length)
                .sum();
    }
}
