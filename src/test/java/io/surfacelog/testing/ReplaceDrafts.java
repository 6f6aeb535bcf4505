package io.surfacelog.testing;

import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolResult;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Random replaces of what is on a surface. */
final class ReplaceDrafts {

    private final SplittableRandom random;
    private final OddValues odd;
    private final MessageDrafts messages;

    ReplaceDrafts(SplittableRandom random, OddValues odd, MessageDrafts messages) {
        this.random = random;
        this.odd = odd;
        this.messages = messages;
    }

    /** Positions on a surface, both included. */
    record Range(int first, int last) {}

    /** A range to hide; with whole pairs only, one that separates no call from its result and hides no open call. */
    Optional<Range> range(Surface surface, boolean wholePairs) {
        int nodes = surface.nodes().size();
        for (int tries = 0; nodes > 0 && tries < 8; tries++) {
            Range range = switch (random.nextInt(5)) {
                case 0 -> new Range(0, nodes - 1);
                case 1 -> single(random.nextInt(nodes));
                default -> {
                    int first = random.nextInt(nodes);
                    yield new Range(first, Math.min(nodes - 1, first + random.nextInt(6)));
                }
            };
            if (!wholePairs || hidesWholePairs(surface, range)) {
                return Optional.of(range);
            }
        }
        return Optional.empty();
    }

    private static Range single(int position) {
        return new Range(position, position);
    }

    private static boolean hidesWholePairs(Surface surface, Range range) {
        Set<List<Object>> calls = new HashSet<>();
        Set<List<Object>> results = new HashSet<>();
        for (SurfaceNode node : surface.nodes().subList(range.first(), range.last() + 1)) {
            if (node.event().payload() instanceof AssistantMessage message) {
                message.message()
                        .toolCalls()
                        .forEach(call -> calls.add(List.of(message.turn(), message.step(), call.id())));
            } else if (node.event().payload() instanceof ToolResult result) {
                results.add(List.of(result.turn(), result.step(), result.callId()));
            }
        }
        return calls.equals(results);
    }

    /** The intent that hides the range, citing what it must and now and then more. */
    SurfaceIntent hiding(Surface surface, Range range, long... more) {
        List<SurfaceNode> hidden = surface.nodes().subList(range.first(), range.last() + 1);
        Set<Long> cited = new LinkedHashSet<>();
        for (long seq : more) {
            cited.add(seq);
        }
        hidden.forEach(node -> cited.add(node.seq()));
        for (int i = random.nextInt(4) == 0 ? 3 : 0; i > 0; i--) {
            cited.add(random.nextLong(surface.nextSeq()));
        }
        EventSeqs.Builder seqs = EventSeqs.builder();
        cited.forEach(seqs::add);
        return SurfaceIntent.replace(
                        hidden.get(0).seq(), hidden.get(hidden.size() - 1).seq())
                .citing(seqs.build());
    }

    /** A message in the place of a range. */
    Optional<Draft> ofRange(Surface surface, long turn, long step, boolean wholePairs) {
        return range(surface, wholePairs)
                .map(range -> hiding(surface, range))
                .map(intent -> random.nextInt(3) == 0
                        ? messages.assistant(turn, step, List.of(), intent)
                        : messages.user(intent));
    }

    /** A tool result with other content in the place of itself. */
    Optional<Draft> rewrite(Surface surface) {
        return position(surface, EventType.TOOL_RESULT).map(at -> {
            SessionEvent target = surface.nodes().get(at).event();
            JsonArray content = JsonArray.of(
                    random.nextInt(8) == 0
                            ? List.of(odd.value())
                            : List.of(TextBlock.of(odd.text()).json()));
            ToolResult shorter = ((ToolResult) target.payload()).withContent(content);
            return Draft.of(shorter, hiding(surface, single(at)));
        });
    }

    /** An assistant message with the same calls and other text in the place of itself. */
    Optional<Draft> assistantCopy(Surface surface) {
        return position(surface, EventType.ASSISTANT_MESSAGE).map(at -> {
            SessionEvent target = surface.nodes().get(at).event();
            JsonObject data = (JsonObject) target.data().value();
            JsonObject message = ((AssistantMessage) target.payload()).message().json();
            List<ContentBlock> content = new ArrayList<>(Message.of(message).toolCalls());
            content.add(0, TextBlock.of(odd.text()));
            JsonObject copy = data.with(
                    "message",
                    message.with(
                            "content",
                            JsonArray.of(
                                    content.stream().map(ContentBlock::json).toList())));
            return Draft.of(new AssistantMessage(copy), hiding(surface, single(at)));
        });
    }

    private Optional<Integer> position(Surface surface, String type) {
        int[] positions = IntStream.range(0, surface.nodes().size())
                .filter(i -> surface.nodes().get(i).event().type().equals(type))
                .toArray();
        return positions.length == 0 ? Optional.empty() : Optional.of(positions[random.nextInt(positions.length)]);
    }
}
