package io.surfacelog.agent;

import io.surfacelog.event.ToolError;
import io.surfacelog.model.Tool;
import io.surfacelog.model.ToolInvocation;
import io.surfacelog.model.ToolOutput;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One tool at work on a thread of its own. One that hangs is interrupted and left behind. */
final class ToolRun {

    /** How it went. */
    sealed interface Result {}

    /** It returned. */
    record Done(ToolOutput output) implements Result {}

    /** It threw, was cancelled, or took too long. */
    record Broken(ToolError error, String text) implements Result {}

    private final Tool tool;
    private final ToolInvocation invocation;
    private final AgentThreads threads;
    private final OwnThreads own;
    private final Cancellation cancellation;
    private final CompletableFuture<Result> result = new CompletableFuture<>();
    private final AtomicBoolean mayRun = new AtomicBoolean();
    private volatile long startedAt;
    private @Nullable Future<?> running;

    ToolRun(Tool tool, ToolInvocation invocation, AgentThreads threads, OwnThreads own, Cancellation cancellation) {
        this.tool = tool;
        this.invocation = invocation;
        this.threads = threads;
        this.own = own;
        this.cancellation = cancellation;
    }

    void start() {
        startedAt = System.nanoTime();
        running = threads.executor().submit(this::run);
        cancellation.whenCancelled(() -> result.complete(cancelled()));
    }

    private void run() {
        try {
            threads.toolRuns().acquire();
        } catch (InterruptedException e) {
            // left behind while it waited for its turn
            result.complete(cancelled());
            return;
        }
        mayRun.set(true);
        own.enter();
        try {
            if (!result.isDone()) {
                startedAt = System.nanoTime();
                ToolOutput output = tool.run(invocation);
                result.complete(output == null ? nothing() : new Done(output));
            }
        } catch (Throwable e) {
            result.complete(threw(e));
        } finally {
            own.leave();
            giveBack();
        }
    }

    /** By whoever comes first: the run itself, or who leaves it behind. */
    private void giveBack() {
        if (mayRun.getAndSet(false)) {
            threads.toolRuns().release();
        }
    }

    Result await() {
        try {
            return Waiting.in(result, this::left, this::late);
        } finally {
            leave();
        }
    }

    /** Has it end, if it has not: nobody waits for it any more. */
    void leave() {
        Future<?> run = running;
        if (run != null) {
            run.cancel(true);
        }
        giveBack();
    }

    private Duration timeout() {
        return tool.definition().timeout();
    }

    private long timeoutNanos() {
        return TimeUnit.NANOSECONDS.convert(timeout());
    }

    private long left() {
        return mayRun.get() ? startedAt + timeoutNanos() - System.nanoTime() : timeoutNanos();
    }

    private Result late() {
        return new Broken(
                new ToolError("ToolTimeoutError", "TOOL_TIMED_OUT"),
                "The tool was interrupted since it took longer than "
                        + timeout().toMillis()
                        + " ms. Whether it took effect is not known: look before you call it again.");
    }

    private static Result cancelled() {
        return new Broken(
                new ToolError("ToolCancelledError", "TOOL_CANCELLED"),
                "The turn was cancelled while this tool ran. Whether it took effect is not known: look before you call it"
                        + " again.");
    }

    private static Result nothing() {
        return new Broken(
                new ToolError("ToolOutputError", "TOOL_OUTPUT_MISSING"),
                "The tool has run and returned nothing at all.");
    }

    private static Result threw(Throwable failure) {
        return new Broken(
                new ToolError(failure.getClass().getSimpleName(), "TOOL_FAILED"),
                "The tool failed: " + TurnFault.chain(failure));
    }
}
