package io.surfacelog.provider;

import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResultBlock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds for each call its result, by where they stand: an id names a call only within its step, and may come back in a
 * later turn, twice in one message, or be empty.
 *
 * <p>Results that follow each other answer the nearest calls of their id before them that are still open: as many as there
 * are results, and those in the order in which they were called. What recovery has written closes what was left, however
 * far back, and is therefore looked at after the results that tools gave. Cost: O(messages and blocks).
 */
final class CallPairs {

    /** Recovery's results are known by the id of their message. */
    private static final String CLOSER = "interrupted-tool-result-";

    /** A call that waits for its result, or has it. */
    private static final class Slot {
        final ToolCallBlock call;

        @Nullable
        Answer answer;

        Slot(ToolCallBlock call) {
            this.call = call;
        }
    }

    private final Map<String, Deque<Deque<Slot>>> open = new HashMap<>();
    private final Map<Integer, List<Slot>> slots = new HashMap<>();
    private final Map<Integer, Boolean> answers = new HashMap<>();
    private final List<Answer> fromTools = new ArrayList<>();
    private final List<Answer> closers = new ArrayList<>();

    private CallPairs() {}

    static List<Entry> entries(List<Message> messages, Adjustments adjustments) {
        CallPairs pairs = new CallPairs();
        int index = 0;
        for (Message message : messages) {
            pairs.read(index++, message);
        }
        pairs.settle();
        List<Entry> entries = new ArrayList<>(messages.size());
        index = 0;
        for (Message message : messages) {
            pairs.write(index++, message, entries, adjustments);
        }
        return entries;
    }

    private void read(int index, Message message) {
        Optional<ToolResultBlock> result = result(message);
        if (result.isPresent()) {
            Answer answer = new Answer(index, result.get());
            (message.id().startsWith(CLOSER) ? closers : fromTools).add(answer);
            return;
        }
        settle();
        if (message.role().equals(Message.ASSISTANT)) {
            Map<String, Deque<Slot>> byId = new LinkedHashMap<>();
            List<Slot> ofMessage = new ArrayList<>();
            for (ToolCallBlock call : message.toolCalls()) {
                Slot slot = new Slot(call);
                ofMessage.add(slot);
                byId.computeIfAbsent(call.id(), id -> new ArrayDeque<>()).add(slot);
            }
            byId.forEach((id, group) ->
                    open.computeIfAbsent(id, any -> new ArrayDeque<>()).push(group));
            slots.put(index, ofMessage);
        }
    }

    private void settle() {
        settle(fromTools);
        settle(closers);
    }

    private void settle(List<Answer> run) {
        Map<String, List<Answer>> byId = new LinkedHashMap<>();
        for (Answer answer : run) {
            byId.computeIfAbsent(answer.result().toolCallId(), id -> new ArrayList<>())
                    .add(answer);
        }
        run.clear();
        byId.forEach(this::answer);
    }

    private void answer(String id, List<Answer> results) {
        Deque<Slot> nearest = new ArrayDeque<>();
        Deque<Deque<Slot>> groups = open.getOrDefault(id, new ArrayDeque<>());
        while (nearest.size() < results.size() && !groups.isEmpty()) {
            Deque<Slot> group = groups.element();
            Deque<Slot> taken = new ArrayDeque<>();
            while (nearest.size() + taken.size() < results.size() && !group.isEmpty()) {
                taken.push(group.remove());
            }
            // one by one from the back, so that messages further back come first and each keeps its order
            taken.forEach(nearest::push);
            if (group.isEmpty()) {
                groups.remove();
            }
        }
        for (Answer result : results) {
            Slot slot = nearest.poll();
            answers.put(result.message(), slot != null);
            if (slot != null) {
                slot.answer = result;
            }
        }
    }

    private void write(int index, Message message, List<Entry> entries, Adjustments adjustments) {
        Boolean hasCall = answers.get(index);
        if (hasCall != null) {
            if (!hasCall) {
                entries.add(new Entry.Orphan(index, result(message).orElseThrow()));
            }
            return;
        }
        List<Slot> calls = slots.get(index);
        if (calls != null) {
            entries.add(new Entry.Said(
                    index,
                    message.content(),
                    calls.stream()
                            .map(slot -> new AnsweredCall(slot.call, Optional.ofNullable(slot.answer)))
                            .toList()));
            return;
        }
        if (!message.role().equals(Message.USER)) {
            adjustments.add(
                    AdjustmentRule.MESSAGE_ROLE,
                    index,
                    "found the role " + Adjustments.quoted(message.role()) + "; the request says user");
        }
        entries.add(new Entry.Told(
                index, message.json().array("content").orElseThrow().items()));
    }

    private static Optional<ToolResultBlock> result(Message message) {
        return message.source().kind().equals(MessageSource.TOOL)
                        && !message.role().equals(Message.ASSISTANT)
                        && message.content().size() == 1
                        && message.content().get(0) instanceof ToolResultBlock result
                ? Optional.of(result)
                : Optional.empty();
    }
}
