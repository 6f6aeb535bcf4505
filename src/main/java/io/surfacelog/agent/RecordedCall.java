package io.surfacelog.agent;

import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolError;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.model.ToolOutput;

/**
 * A tool call that has started; {@link TurnRecorder} has what holds for all parts.
 *
 * <pre>{@code
 * RecordedCall call = step.call(block);
 * call.result(ToolOutput.text("In Lyon."));
 * }</pre>
 *
 * <p>Its result cites it. The results of one step may come from several threads and in any order; {@link
 * RecordedStep#resultsInCallOrder()} has them written in that of the calls.
 */
public final class RecordedCall {

    private final TurnLog log;
    private final RecordedStep step;
    private final RecordedCalls calls;
    private final RecordedCalls.Slot slot;

    RecordedCall(TurnLog log, RecordedStep step, RecordedCalls calls, RecordedCalls.Slot slot) {
        this.log = log;
        this.step = step;
        this.calls = calls;
        this.slot = slot;
    }

    /** What the model asks for. */
    public ToolCallBlock block() {
        return slot.block;
    }

    /**
     * Records what the tool has said, as it is: blank, large, or an error.
     *
     * @throws RecorderException if the step has ended or the call has a result
     */
    public void result(ToolOutput output) {
        String id = slot.block.id();
        ToolResult result = ToolResult.of(
                step.turn().number(), step.number(), ToolResultBlock.of(id, output.content(), output.isError()));
        answer(output.meta() == null ? result : new ToolResult(result.json().with("meta", output.meta())));
    }

    /**
     * Records that the tool has failed. Where the text is too long for an event, it is cut.
     *
     * @param text what the model is told
     * @throws RecorderException as {@link #result}
     */
    public void failed(ToolError error, String text) {
        synchronized (log) {
            step.needOpen("a tool result");
            calls.fail(slot, error, text);
        }
    }

    private void answer(ToolResult result) {
        synchronized (log) {
            step.needOpen("a tool result");
            calls.answer(slot, result);
        }
    }
}
