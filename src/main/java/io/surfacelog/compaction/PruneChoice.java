package io.surfacelog.compaction;

import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.EventPlace;
import io.surfacelog.event.EventType;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResult;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Plans which results of a surface are shortened. Pure. */
final class PruneChoice {

    private final Prices prices;
    private final PruneSettings settings;

    PruneChoice(Prices prices, PruneSettings settings) {
        this.prices = prices;
        this.settings = settings;
    }

    private record Call(long turn, long step, String id) {}

    private record Candidate(int position, PrunePlan.Pruned pruned) {}

    /** Cost: O(nodes), and O(text) of the results that are too long. */
    PrunePlan of(Surface surface) {
        List<SurfaceNode> nodes = surface.nodes();
        Map<Call, String> names = new HashMap<>();
        List<Integer> results = new ArrayList<>();
        int answered = -1;
        for (int i = 0; i < nodes.size(); i++) {
            SurfaceNode node = nodes.get(i);
            if (node.event().payload() instanceof AssistantMessage answer) {
                answered = i;
                EventPlace place = node.event().place();
                for (ToolCallBlock call : answer.message().toolCalls()) {
                    names.putIfAbsent(new Call(place.turn(), place.step(), call.id()), call.name());
                }
            } else if (node.event().type().equals(EventType.TOOL_RESULT)) {
                results.add(i);
            }
        }
        List<Candidate> candidates = new ArrayList<>();
        List<PrunePlan.Left> left = new ArrayList<>();
        int newest = results.size() - settings.keepNewest();
        for (int i = 0; i < results.size(); i++) {
            int position = results.get(i);
            SurfaceNode node = nodes.get(position);
            Optional<PrunePlan.Pruned> pruned = shortened(node, names);
            if (pruned.isEmpty()) {
                continue;
            }
            boolean isProtected = pruned.get()
                    .tool()
                    .filter(settings.protectedTools()::contains)
                    .isPresent();
            if (position > answered) {
                left.add(new PrunePlan.Left(node.seq(), PrunePlan.Reason.UNSEEN));
            } else if (i >= newest) {
                left.add(new PrunePlan.Left(node.seq(), PrunePlan.Reason.NEWEST));
            } else if (isProtected) {
                left.add(new PrunePlan.Left(node.seq(), PrunePlan.Reason.PROTECTED));
            } else {
                candidates.add(new Candidate(position, pruned.get()));
            }
        }
        return worthwhile(surface, candidates, left);
    }

    private Optional<PrunePlan.Pruned> shortened(SurfaceNode node, Map<Call, String> names) {
        if (!(node.event().payload() instanceof ToolResult result)) {
            return Optional.empty();
        }
        PrunedContent content = PrunedContent.of(result, node, settings);
        if (content == null) {
            return Optional.empty();
        }
        ToolResult shorter = result.withContent(content.content());
        long before = prices.ofNode(node);
        long reclaimed = Math.max(0, prices.ofText(EventText.of(result)) - prices.ofText(EventText.of(shorter)));
        EventPlace place = node.event().place();
        return Optional.of(new PrunePlan.Pruned(
                node.seq(),
                content.whole(),
                Optional.ofNullable(names.get(new Call(place.turn(), place.step(), result.callId()))),
                content.chars(),
                reclaimed,
                before,
                shorter));
    }

    /** Without the oldest ones as long as those invalidate more than all of them are worth. */
    private PrunePlan worthwhile(Surface surface, List<Candidate> candidates, List<PrunePlan.Left> left) {
        List<SurfaceNode> nodes = surface.nodes();
        long reclaimed =
                candidates.stream().mapToLong(one -> one.pruned().reclaimed()).sum();
        int position = candidates.isEmpty() ? 0 : candidates.get(0).position();
        long behind = 0;
        for (int i = position; i < nodes.size(); i++) {
            behind += prices.ofNode(nodes.get(i));
        }
        int first = 0;
        while (first < candidates.size()) {
            for (; position < candidates.get(first).position(); position++) {
                behind -= prices.ofNode(nodes.get(position));
            }
            long invalidated = Math.max(0, behind - reclaimed);
            if (reclaimed >= settings.minReclaim()
                    && reclaimed >= settings.leastShare() * invalidated
                    && reclaimed > 0) {
                break;
            }
            reclaimed -= candidates.get(first).pruned().reclaimed();
            first++;
        }
        List<PrunePlan.Left> all = new ArrayList<>(left);
        candidates
                .subList(0, first)
                .forEach(one -> all.add(new PrunePlan.Left(one.pruned().seq(), PrunePlan.Reason.NOT_WORTH_IT)));
        if (first == candidates.size()) {
            return new PrunePlan(List.of(), inOrder(surface, all), 0, OptionalInt.empty(), 0);
        }
        return new PrunePlan(
                candidates.subList(first, candidates.size()).stream()
                        .map(Candidate::pruned)
                        .toList(),
                inOrder(surface, all),
                reclaimed,
                OptionalInt.of(candidates.get(first).position()),
                Math.max(0, behind - reclaimed));
    }

    /** What is left of a plan for this surface that others have overtaken: nothing is done. */
    static PrunePlan overtaken(Surface surface, PrunePlan plan) {
        List<PrunePlan.Left> left = new ArrayList<>(plan.left());
        plan.pruned().forEach(one -> left.add(new PrunePlan.Left(one.seq(), PrunePlan.Reason.OVERTAKEN)));
        return new PrunePlan(List.of(), inOrder(surface, left), 0, OptionalInt.empty(), 0);
    }

    private static List<PrunePlan.Left> inOrder(Surface surface, List<PrunePlan.Left> left) {
        Map<Long, PrunePlan.Left> bySeq = new HashMap<>();
        left.forEach(one -> bySeq.put(one.seq(), one));
        List<PrunePlan.Left> ordered = new ArrayList<>();
        for (SurfaceNode node : surface.nodes()) {
            PrunePlan.Left one = bySeq.get(node.seq());
            if (one != null) {
                ordered.add(one);
            }
        }
        return ordered;
    }
}
