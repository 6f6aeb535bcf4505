package io.surfacelog.agent;

import io.surfacelog.command.EventDraft;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.ToolCall;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolError;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.ToolResultBlock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls of a step's answer, in its order, and what has become of each. Guarded by the recorder's lock. */
final class RecordedCalls {

    private static final ToolError OUTCOME_UNKNOWN = new ToolError("ToolOutcomeUnknownError", "TOOL_OUTCOME_UNKNOWN");
    private static final ToolError NOT_STARTED = new ToolError("ToolNotStartedError", "TOOL_NOT_STARTED");
    private static final ToolError REFUSED = new ToolError("ToolResultRefusedError", "TOOL_RESULT_REFUSED");

    private static final String OUTCOME_UNKNOWN_TEXT =
            "The turn was broken off while this tool was running. It may have taken effect in full, in part or not at all:"
                    + " look at what there is before you run it again.";
    private static final String NOT_STARTED_TEXT =
            "The turn was broken off before this tool was started. It has had no effect, and may be run.";
    private static final String REFUSED_TEXT = "The tool has run, but the log did not take its result: ";

    /** One call. */
    static final class Slot {

        final ToolCallBlock block;
        private long startedAt = -1;
        private @Nullable ToolResult result;
        private boolean written;

        Slot(ToolCallBlock block) {
            this.block = block;
        }

        private boolean isStarted() {
            return startedAt >= 0;
        }
    }

    private final TurnLog log;
    private final long turn;
    private final long step;
    private final String where;
    private final List<Slot> slots = new ArrayList<>();
    private boolean inOrder;

    RecordedCalls(TurnLog log, long turn, long step, String where) {
        this.log = log;
        this.turn = turn;
        this.step = step;
        this.where = where;
    }

    void asked(List<ToolCallBlock> calls) {
        calls.forEach(call -> slots.add(new Slot(call)));
    }

    void keepOrder() {
        inOrder = true;
    }

    /** Those whose result is not in the log. */
    List<ToolCallBlock> unanswered() {
        return slots.stream()
                .filter(slot -> !slot.written)
                .map(slot -> slot.block)
                .toList();
    }

    Slot start(ToolCallBlock call) {
        Slot slot = waiting(call);
        slot.startedAt = log.append(where, List.of(EventDraft.of(ToolCall.of(turn, step, slot.block))))
                .seq();
        return slot;
    }

    void refuse(ToolCallBlock call, ToolError error, String text) {
        fail(waiting(call), error, text);
    }

    /** Answers with an error result, with as much of the text as is taken. */
    void fail(Slot slot, ToolError error, String text) {
        CutToFit.write(longest -> {
            ToolError told = new ToolError(CutToFit.text(error.name(), longest), CutToFit.text(error.code(), longest));
            answer(slot, failure(slot.block.id(), told, CutToFit.text(text, longest)));
            return slot;
        });
    }

    private Slot waiting(ToolCallBlock call) {
        for (Slot slot : slots) {
            if (slot.block.equals(call)) {
                if (slot.isStarted() || slot.result != null) {
                    throw log.refusal(
                            where,
                            "call \"" + call.id() + "\" neither started nor answered",
                            slot.result != null ? "that it has a result" : "that it has started");
                }
                return slot;
            }
        }
        throw log.refusal(
                where,
                "a call of the step's answer, one of "
                        + slots.stream().map(slot -> slot.block.id()).toList(),
                "call \"" + call.id() + "\" of tool \"" + call.name() + "\"");
    }

    private ToolResult failure(String callId, ToolError error, String text) {
        return ToolResult.of(turn, step, ToolResultBlock.error(callId, text)).withError(error);
    }

    /** Records the result of a call, and those that have waited for it; refused if it has one. */
    void answer(Slot slot, ToolResult result) {
        if (slot.result != null) {
            throw log.refusal(where, "call \"" + slot.block.id() + "\" without a result", "that it has one");
        }
        if (inOrder && slots.subList(0, slots.indexOf(slot)).stream().anyMatch(before -> !before.written)) {
            slot.result = result;
            return;
        }
        List<Slot> held = inOrder ? heldBehind(slot) : List.of();
        List<EventDraft> drafts = new ArrayList<>();
        drafts.add(draft(slot, result));
        held.forEach(other -> drafts.add(draft(other, java.util.Objects.requireNonNull(other.result))));
        try {
            log.append(where, drafts);
            written(slot, result);
            held.forEach(other -> written(other, java.util.Objects.requireNonNull(other.result)));
        } catch (AdmissionException e) {
            if (held.isEmpty()) {
                throw e;
            }
            writeAlone(slot, result, held);
        }
    }

    private List<Slot> heldBehind(Slot slot) {
        List<Slot> held = new ArrayList<>();
        for (Slot next : slots.subList(slots.indexOf(slot) + 1, slots.size())) {
            if (next.result == null) {
                break;
            }
            if (!next.written) {
                held.add(next);
            }
        }
        return held;
    }

    /** One of several is refused: each for itself, so that none is refused for another. */
    private void writeAlone(Slot slot, ToolResult result, List<Slot> held) {
        log.append(where, List.of(draft(slot, result)));
        written(slot, result);
        for (Slot other : held) {
            ToolResult own = java.util.Objects.requireNonNull(other.result);
            try {
                log.append(where, List.of(draft(other, own)));
            } catch (AdmissionException e) {
                // whoever handed it in is gone by now: the log tells the model, and whoever reads it
                own = failure(other.block.id(), REFUSED, REFUSED_TEXT + e.getMessage());
                log.append(where, List.of(draft(other, own)));
            }
            written(other, own);
        }
    }

    private static void written(Slot slot, ToolResult result) {
        slot.result = result;
        slot.written = true;
    }

    private static EventDraft draft(Slot slot, ToolResult result) {
        SurfaceIntent append = SurfaceIntent.append();
        return EventDraft.of(result, slot.isStarted() ? append.citing(slot.startedAt) : append);
    }

    /** Results for all that have none in the log; lean: without those that may be too large. */
    List<EventDraft> closing(boolean lean) {
        List<EventDraft> drafts = new ArrayList<>();
        for (Slot slot : slots) {
            if (!slot.written) {
                drafts.add(draft(slot, closing(slot, lean)));
            }
        }
        return drafts;
    }

    private ToolResult closing(Slot slot, boolean lean) {
        if (slot.result != null) {
            return lean
                    ? failure(slot.block.id(), REFUSED, REFUSED_TEXT + "it, or another one beside it, was too large")
                    : slot.result;
        }
        return slot.isStarted()
                ? failure(slot.block.id(), OUTCOME_UNKNOWN, OUTCOME_UNKNOWN_TEXT)
                : failure(slot.block.id(), NOT_STARTED, NOT_STARTED_TEXT);
    }
}
