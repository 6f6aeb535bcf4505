package io.surfacelog.agent;

import io.surfacelog.command.EventDraft;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.RequestContext;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolError;
import io.surfacelog.surface.Surface;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A step that is being recorded: attempts until the model has answered, then the calls of its answer; {@link TurnRecorder}
 * has an example, and what holds for all parts.
 */
public final class RecordedStep implements AutoCloseable {

    private final TurnLog log;
    private final TurnRequest request;
    private final RecordedTurn turn;
    private final long number;
    private final RecordedCalls calls;
    private @Nullable RecordedAttempt attempt;
    private boolean open = true;

    RecordedStep(TurnLog log, TurnRequest request, RecordedTurn turn, long number) {
        this.log = log;
        this.request = request;
        this.turn = turn;
        this.number = number;
        this.calls = new RecordedCalls(log, turn.number(), number, where());
    }

    /** From 1 in each turn. */
    public long number() {
        return number;
    }

    /** The turn it belongs to. */
    public RecordedTurn turn() {
        return turn;
    }

    /** Whether it has not ended. */
    public boolean isOpen() {
        synchronized (log) {
            return open;
        }
    }

    /**
     * Sees to it that this request header is in force, and writes it if it has to: {@code initial} as the first of the log,
     * {@code resume} as the first that this recorder writes into a log that has one, {@code change} where its text differs from
     * the one in force.
     *
     * @param header the raw header, as it is sent
     * @return whether it was written
     * @throws RecorderException if the step has ended, or an attempt is open, which was not made with it
     */
    public boolean header(JsonObject header) {
        synchronized (log) {
            needOpen("a request header");
            needNoOpenAttempt("no open attempt before a request header");
            Optional<RequestHeader> needed = request.toBeWritten(header, log.surface());
            needed.ifPresent(written -> log.append(where(), List.of(EventDraft.of(written))));
            request.headerWritten();
            return needed.isPresent();
        }
    }

    /** Sees to it that these limits are in force: writes them where they differ from those that are; else as {@link #header}. */
    public boolean context(RequestContext context) {
        synchronized (log) {
            needOpen("a request context");
            needNoOpenAttempt("no open attempt before a request context");
            boolean needed = !TurnRequest.isInForce(context, log.surface());
            if (needed) {
                log.append(where(), List.of(EventDraft.of(context)));
            }
            return needed;
        }
    }

    /**
     * Begins to ask the model. Behind an attempt that failed it is a retry, before which an {@code llm/retry} is written unless
     * {@link RecordedAttempt#failed(Throwable, java.time.Duration)} has done so.
     *
     * @throws RecorderException if the step has ended, an attempt is open, the step is answered or broken off already, or the
     *     log has no request header
     */
    public RecordedAttempt attempt() {
        return begin(null);
    }

    /**
     * The same, of a request that was derived from this surface and is about to be sent. Where others have changed the surface
     * or the header in force before the first event of the attempt is written, so that the request could not be rebuilt from
     * the log, that is refused with a {@link RequestOvertakenException}; nothing was written then, and the next attempt is no
     * retry.
     */
    public RecordedAttempt attempt(Surface asked) {
        return begin(asked);
    }

    private RecordedAttempt begin(@Nullable Surface asked) {
        synchronized (log) {
            needOpen("an attempt");
            needNoOpenAttempt("the attempt before to be over");
            RequestHeader header = log.surface()
                    .requestHeader()
                    .orElseThrow(() -> log.refusal(
                            where(), "a request header before the first attempt", "none in the log: call header(…)"));
            int next = 1;
            RecordedAttempt before = attempt;
            if (before != null && before.overtaken().isPresent()) {
                next = before.number();
            } else if (before != null) {
                if (!before.hasFailed()) {
                    throw log.refusal(where(), "a new step for another answer", "that this one has got its answer");
                }
                before.announceRetry();
                next = before.number() + 1;
            }
            RecordedAttempt begun = new RecordedAttempt(log, this, next, header, asked);
            attempt = begun;
            return begun;
        }
    }

    /** The calls of the answer that have no result yet, in its order. */
    public List<ToolCallBlock> unanswered() {
        synchronized (log) {
            return calls.unanswered();
        }
    }

    /**
     * From now on results are written in the order of the calls: one that is there before its turn is held, and written together
     * with the last of those it waits for. Until then it is not durable. {@link #close()} writes what is held.
     */
    public RecordedStep resultsInCallOrder() {
        synchronized (log) {
            needOpen("the order of its results");
            calls.keepOrder();
            return this;
        }
    }

    /**
     * Records that a call of the answer starts to run, which is durable when this returns.
     *
     * @throws RecorderException if the step has ended, or its answer holds no such call that has neither started nor a result
     */
    public RecordedCall call(ToolCallBlock call) {
        synchronized (log) {
            needOpen("a tool call");
            return new RecordedCall(log, this, calls, calls.start(call));
        }
    }

    /**
     * Answers a call of the answer that is never going to run, with an error result that cites nothing.
     *
     * @throws RecorderException as {@link #call}
     */
    public void notStarted(ToolCallBlock call, ToolError error, String text) {
        synchronized (log) {
            needOpen("a tool result");
            calls.refuse(call, error, text);
        }
    }

    /**
     * Ends it. If its last attempt failed, shown text of it becomes an assistant message that is marked as interrupted.
     *
     * @throws RecorderException if it has ended, an attempt is open, or a call has no result
     */
    public void end() {
        synchronized (log) {
            needOpen("its end");
            needNoOpenAttempt("the attempt to be over first");
            List<ToolCallBlock> missing = calls.unanswered();
            if (!missing.isEmpty()) {
                throw log.refusal(
                        where(),
                        "a result for each call first",
                        "none for " + missing.stream().map(ToolCallBlock::id).toList());
            }
            write();
        }
    }

    /**
     * Ends it if it has not ended, in one commit: an attempt that is open is broken off as by {@link RecordedAttempt#interrupted()},
     * and calls without a result get an error result, which says whether they may have taken effect. Where that fails it stays
     * open, and may be closed again.
     */
    @Override
    public void close() {
        synchronized (log) {
            if (!open) {
                return;
            }
            if (log.isLost()) {
                open = false;
                return;
            }
            if (settledLost()) {
                open = false;
            } else {
                write();
            }
            throwUntold();
        }
    }

    private void write() {
        turn.write(this::closing);
        closed();
    }

    /** Waits for what is on its way; returns whether nothing can be written any more. */
    boolean settledLost() {
        if (attempt != null) {
            attempt.settle();
        }
        return log.isLost();
    }

    void throwUntold() {
        if (attempt != null) {
            attempt.throwUntold();
        }
    }

    /** What ends it, whatever state it is in. */
    List<EventDraft> closing(boolean lean) {
        List<EventDraft> drafts = new ArrayList<>();
        if (attempt != null && !lean) {
            attempt.leftBehind().ifPresent(drafts::add);
        }
        drafts.addAll(calls.closing(lean));
        drafts.add(EventDraft.of(StepEnd.of(turn.number(), number)));
        return drafts;
    }

    /** It has ended in the log. */
    void closed() {
        open = false;
        if (attempt != null) {
            attempt.closed();
        }
    }

    Optional<TurnFault> failure() {
        return attempt == null ? Optional.empty() : attempt.failure();
    }

    /** The model has answered. */
    void answered(AssistantMessage answer) {
        calls.asked(answer.message().toolCalls());
    }

    void needNoOpenAttempt(String expected) {
        if (open && attempt != null && attempt.isOpen()) {
            throw log.refusal(where(), expected, "attempt " + attempt.number() + " open");
        }
    }

    void needOpen(String what) {
        if (!open) {
            throw log.refusal(where(), "an open step for " + what, "that it has ended");
        }
    }

    String where() {
        return "turn " + turn.number() + ", step " + number;
    }
}
