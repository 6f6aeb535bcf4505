package io.surfacelog.web;

import io.surfacelog.event.CompactionEnd;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Payload;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.Usage;
import io.surfacelog.surface.Replacement;
import io.surfacelog.surface.Replacements;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened when, in so few words that a browser can hold it for a log of any usual length: turns, replaces, errors and
 * what was used. Grows with the log; used by one thread at a time. Memory: a few dozen bytes for each of these.
 */
final class Timeline {

    private final Replacements replacements = new Replacements();
    private final EventSeqs.Builder surfaceEvents = EventSeqs.builder();
    private final EventSeqs.Builder turns = EventSeqs.builder();
    private final EventSeqs.Builder errors = EventSeqs.builder();
    private final List<Spent> spent = new ArrayList<>();
    private @Nullable Json title;
    private long nextSeq;

    /** What one answer used; input without what was cached. */
    private record Spent(long seq, long time, long input, long output, long cached) {

        /** For a point that stands for several answers: the most of each, so that no peak is lost. */
        Spent peak(Spent other) {
            return new Spent(
                    other.seq,
                    other.time,
                    Math.max(input, other.input),
                    Math.max(output, other.output),
                    Math.max(cached, other.cached));
        }

        JsonObject json() {
            return JsonObject.builder()
                    .put("seq", seq)
                    .put("time", time)
                    .put("input", input)
                    .put("output", output)
                    .put("cached", cached)
                    .build();
        }
    }

    long nextSeq() {
        return nextSeq;
    }

    /** Takes in the next event that is no chunk. */
    void add(SessionEvent event) {
        long seq = event.seq();
        if (seq < nextSeq) {
            return; // a reading that failed half-way is taken up where it broke off
        }
        nextSeq = seq + 1;
        if (event.isSurface()) {
            surfaceEvents.add(seq);
            replacements.add(event);
        }
        // of a payload only what is looked for is read: a log has many, and most say nothing of it
        String data = event.data().text();
        switch (event.type()) {
            case EventType.TURN_START -> turns.add(seq);
            case EventType.LLM_RETRY -> errors.add(seq);
            case "session/title" -> title = event.data().value();
            case EventType.ASSISTANT_MESSAGE ->
                JsonMember.of(data, "usage")
                        .filter(JsonObject.class::isInstance)
                        .ifPresent(usage -> spent.add(spent(event, new Usage((JsonObject) usage))));
            case EventType.TOOL_RESULT, EventType.COMPACTION_END -> {
                if (JsonMember.of(data, "error").isPresent() && failed(event.payload())) {
                    errors.add(seq);
                }
            }
            case EventType.TURN_END -> {
                if (data.contains("\"error\"") && failed(event.payload())) {
                    errors.add(seq);
                }
            }
            default -> {
                // neither fails nor costs
            }
        }
    }

    /** Has taken in all events below this seq. */
    void passTo(long seq) {
        nextSeq = seq;
    }

    private static boolean failed(Payload payload) {
        return (payload instanceof ToolResult result && result.error().isPresent())
                || (payload instanceof CompactionEnd end && end.error() != null)
                || (payload instanceof TurnEnd turn && turn.reason().kind().equals("error"));
    }

    private static Spent spent(SessionEvent event, Usage usage) {
        return new Spent(
                event.seq(),
                event.time(),
                usage.inputTokens() + usage.cacheWriteTokens().orElse(0),
                usage.outputTokens(),
                usage.cacheReadTokens().orElse(0));
    }

    /** All of it, with so many points of usage at most. Cost: O(what it holds). */
    JsonObject json(int points) {
        JsonObject.Builder json = JsonObject.builder()
                .put("nextSeq", nextSeq)
                .put("surfaceEvents", JsonViews.seqs(surfaceEvents.build()))
                .put("replacements", JsonViews.array(replacements.found(), Timeline::replacement))
                .put("turns", JsonViews.seqs(turns.build()))
                .put("errors", JsonViews.seqs(errors.build()))
                .put("answers", spent.size())
                .put("usage", usage(points));
        if (title instanceof JsonObject object) {
            object.string("title").ifPresent(text -> json.put("title", text));
        }
        return json.build();
    }

    private static JsonObject replacement(Replacement replacement) {
        return JsonViews.replacement(replacement);
    }

    private JsonArray usage(int points) {
        int each = Math.max(1, (spent.size() + points - 1) / points);
        List<Json> usage = new ArrayList<>();
        for (int from = 0; from < spent.size(); from += each) {
            Spent point = spent.get(from);
            for (Spent other : spent.subList(from + 1, Math.min(spent.size(), from + each))) {
                point = point.peak(other);
            }
            usage.add(point.json());
        }
        return JsonArray.of(usage);
    }
}
