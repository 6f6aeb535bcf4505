package io.surfacelog.compaction;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Message;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.surface.SurfaceNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One line of an extract.
 *
 * @param place its place among the lines, in surface order
 * @param kind what it tells, the more important first
 * @param text the line
 */
record SummaryLine(int place, Kind kind, String text) {

    private static final int LONGEST = 240;
    private static final int LONGEST_RESULT = 120;
    private static final int SHORT = 72;

    /** What lines tell, by what is kept first. */
    enum Kind {
        REQUEST("user"),
        SAID("assistant"),
        RESULT("result");

        final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    /** Adds the lines of a node: one, or those of an earlier summary. */
    static void of(SurfaceNode node, int place, List<SummaryLine> lines) {
        Message message = node.message();
        if (SummaryRequest.isSummary(message)) {
            takenOver(ReplacingMessage.summaryIn(message), place, lines);
            return;
        }
        String text;
        Kind kind;
        switch (node.event().type()) {
            case EventType.TOOL_RESULT -> {
                kind = Kind.RESULT;
                text = shortened(resultText(message), LONGEST_RESULT);
            }
            case EventType.ASSISTANT_MESSAGE -> {
                kind = Kind.SAID;
                text = said(message);
            }
            default -> {
                kind = Kind.REQUEST;
                text = shortened(message.text(), LONGEST);
            }
        }
        if (!text.isBlank()) {
            lines.add(new SummaryLine(place, kind, "- [" + node.seq() + "] " + kind.word + ": " + text));
        }
    }

    /** The beginning of the line, for where there is hardly any room. */
    String shortened() {
        return shortened(text, SHORT);
    }

    private static void takenOver(String summary, int place, List<SummaryLine> lines) {
        int at = place;
        for (String line : summary.lines().toList()) {
            // what earlier extracts say of what they left out is said anew
            if (!line.isBlank() && !line.matches("\\(\\d+ more lines? (was|were) left out\\.\\)")) {
                lines.add(new SummaryLine(at++, kindOf(line), line));
            }
        }
    }

    private static Kind kindOf(String line) {
        for (Kind kind : Kind.values()) {
            if (line.matches("- \\[\\d+] " + kind.word + ": .*")) {
                return kind;
            }
        }
        // a model's summary: nobody can tell which of its lines matters less
        return Kind.REQUEST;
    }

    /** The first line and, where no tool was called, the last: there answers say what they come to. */
    private static String said(Message message) {
        List<String> all = message.text()
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        StringBuilder said = new StringBuilder();
        if (!all.isEmpty()) {
            said.append(shortened(all.get(0), LONGEST));
        }
        Map<String, Integer> called = new LinkedHashMap<>();
        message.toolCalls().stream().map(ToolCallBlock::name).forEach(name -> called.merge(name, 1, Integer::sum));
        if (called.isEmpty()) {
            if (all.size() > 1) {
                said.append(" / ").append(shortened(all.get(all.size() - 1), LONGEST));
            }
            return said.toString();
        }
        List<String> names = called.entrySet().stream()
                .map(call -> call.getValue() == 1 ? call.getKey() : call.getKey() + " × " + call.getValue())
                .toList();
        said.append(said.isEmpty() ? "" : " ")
                .append("(called ")
                .append(String.join(", ", names))
                .append(")");
        return said.toString();
    }

    private static String resultText(Message message) {
        StringBuilder text = new StringBuilder();
        for (ContentBlock block : message.content()) {
            if (block instanceof ToolResultBlock result) {
                text.append(result.isError() ? "failed: " : "");
                for (ContentBlock part : result.content()) {
                    text.append(part instanceof TextBlock words ? words.text() : "(not text)")
                            .append('\n');
                }
            }
        }
        return text.toString();
    }

    /** The first line that is not blank, as far as there is room, whole code points only. */
    private static String shortened(String text, int longest) {
        String line = text.lines()
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse("");
        if (line.codePointCount(0, line.length()) <= longest) {
            return line;
        }
        return line.substring(0, line.offsetByCodePoints(0, longest - 1)) + "…";
    }
}
