package io.surfacelog.agent;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolError;
import io.surfacelog.model.Tool;
import io.surfacelog.model.ToolInvocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs the tools one step asks for: side by side where neighbours may be, else one after the other; their results are
 * recorded in the order of the calls. Each call is durable before its body runs. For the thread of the loop.
 */
final class ToolRuns {

    private final AgentLoop loop;
    private final Cancellation cancellation;

    ToolRuns(AgentLoop loop, Cancellation cancellation) {
        this.loop = loop;
        this.cancellation = cancellation;
    }

    /** A call that can be run. */
    private record Ready(ToolCallBlock block, Tool tool, ToolInvocation invocation) {}

    /** A run that was started. */
    private record Started(RecordedCall call, ToolRun run) {}

    void run(RecordedStep step, List<ToolCallBlock> calls) {
        List<Ready> together = new ArrayList<>();
        for (ToolCallBlock block : calls) {
            Optional<Tool> tool = loop.agent().profile().tool(block.name());
            Optional<JsonObject> arguments = arguments(block.arguments());
            if (tool.isPresent() && arguments.isPresent()) {
                if (!tool.get().definition().parallel()) {
                    runTogether(step, together);
                }
                together.add(new Ready(
                        block,
                        tool.get(),
                        new ToolInvocation(
                                loop.agent().id(), step.turn().number(), step.number(), block.id(), arguments.get())));
                if (tool.get().definition().parallel()) {
                    continue;
                }
            }
            runTogether(step, together);
            if (tool.isEmpty()) {
                step.notStarted(block, new ToolError("ToolNotFoundError", "TOOL_NOT_FOUND"), unknown(block));
            } else if (arguments.isEmpty()) {
                step.notStarted(
                        block,
                        new ToolError("ToolArgumentsError", "TOOL_ARGUMENTS_INVALID"),
                        "The arguments of this call are not a JSON object, so the tool was not started. Call it again with a"
                                + " JSON object.");
            }
        }
        runTogether(step, together);
    }

    private static String unknown(ToolCallBlock block) {
        return "There is no tool named \"" + block.name()
                + "\", so nothing was started. Use one of the tools that are offered.";
    }

    /** What a model leaves out means no arguments. */
    private static Optional<JsonObject> arguments(String text) {
        if (text.isBlank()) {
            return Optional.of(JsonObject.builder().build());
        }
        try {
            return Json.parse(text) instanceof JsonObject object ? Optional.of(object) : Optional.empty();
        } catch (AdmissionException noJson) {
            return Optional.empty();
        }
    }

    private void runTogether(RecordedStep step, List<Ready> together) {
        List<Ready> ready = List.copyOf(together);
        together.clear();
        if (ready.isEmpty()) {
            return;
        }
        if (cancellation.isCancelled()) {
            for (Ready call : ready) {
                step.notStarted(
                        call.block(),
                        new ToolError("ToolCancelledError", "TOOL_CANCELLED"),
                        "The turn was cancelled before this tool was started. It has done nothing.");
            }
            return;
        }
        List<RecordedCall> recorded =
                ready.stream().map(call -> step.call(call.block())).toList();
        loop.recorder().flush();
        List<Started> started = new ArrayList<>();
        try {
            for (int i = 0; i < ready.size(); i++) {
                Ready call = ready.get(i);
                ToolRun run = new ToolRun(call.tool(), call.invocation(), loop.threads(), loop.own(), cancellation);
                run.start();
                started.add(new Started(recorded.get(i), run));
            }
            started.forEach(run -> record(run.call(), run.run().await()));
        } finally {
            // where one cannot be recorded, nobody waits for the others
            started.forEach(run -> run.run().leave());
        }
    }

    private static void record(RecordedCall call, ToolRun.Result result) {
        if (result instanceof ToolRun.Done done) {
            try {
                call.result(done.output());
            } catch (AdmissionException e) {
                call.failed(
                        new ToolError("ToolResultRefusedError", "TOOL_RESULT_REFUSED"),
                        "The tool has run, but its result cannot be kept: " + e.getMessage()
                                + ". Ask for less of it, or for another form.");
            }
        } else if (result instanceof ToolRun.Broken broken) {
            call.failed(broken.error(), broken.text());
        }
    }
}
