package io.surfacelog.agent;

import io.surfacelog.command.Appended;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.StaleSeqException;
import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.surface.Surface;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to have a step answered by the model; {@link TurnRecorder} has an example, and what holds for all parts.
 *
 * <p>It ends in one of three ways. {@link #complete()}: the model has answered. {@link #interrupted()}: somebody broke it off.
 * {@link #failed}: the model did, and {@link RecordedStep#attempt()} tries again. The text of a failed attempt that is followed
 * by another stays in its chunks, in front of the {@code llm/retry}; that of one that is not becomes an assistant message, as
 * if interrupted, when the step ends. No tool call of an attempt that was not completed is kept.
 */
public final class RecordedAttempt implements AutoCloseable {

    private enum State {
        OPEN,
        COMPLETED,
        INTERRUPTED,
        OVERTAKEN,
        FAILED
    }

    private final TurnLog log;
    private final RecordedStep step;
    private final int number;
    private final RequestHeader header;
    private final ChunkTrail trail;
    private State state = State.OPEN;
    private @Nullable TurnFault fault;
    private @Nullable RequestOvertakenException overtaken;

    /** What its request was derived from, until its first event is in the log; null where nobody has to know. */
    private @Nullable Surface asked;

    private boolean retryAnnounced;

    RecordedAttempt(TurnLog log, RecordedStep step, int number, RequestHeader header, @Nullable Surface asked) {
        this.log = log;
        this.step = step;
        this.number = number;
        this.header = header;
        this.asked = asked;
        String prefix = "call_" + step.turn().number() + "_" + step.number();
        this.trail = new ChunkTrail(ChunkAssembly.mintingIds(prefix));
        log.streaming = trail;
    }

    /** From 1 in each step. */
    public int number() {
        return number;
    }

    /**
     * Records the next chunk, and returns when it is on its way, or, where too much is, when there is room: it is durable, and
     * seen by subscribers, within one commit. Where that fails, the next call throws what it failed with; then what is in the
     * log up to that chunk can still be kept, by {@link #interrupted()} or closing.
     *
     * @throws RecorderException if the attempt is over, or chunks before this one are lost
     */
    public void chunk(StreamChunk chunk) {
        synchronized (log) {
            needOpen("a chunk");
            trail.lookUp();
            needAllChunks();
            EventDraft draft = EventDraft.of(AssistantChunk.of(step.turn().number(), step.number(), chunk));
            CompletableFuture<Appended> answer =
                    asked == null ? log.send(where(), draft) : CompletableFuture.completedFuture(first(draft, asked));
            if (answer.isCompletedExceptionally()) {
                // nothing was sent behind it: it is refused, and leaves no hole
                log.rethrow(ChunkTrail.failureOf(answer));
            }
            trail.sent(chunk, answer);
        }
    }

    /** Why the stream ended, in the provider's word; empty before it has. Waits for the chunks before. */
    public Optional<String> finishReason() {
        synchronized (log) {
            settle();
            throwUntold();
            return trail.assembly().finishReason();
        }
    }

    /**
     * Records the answer, put together of the chunks as {@link ChunkAssembly} has it, with the usage; it cites exactly its
     * chunks, none where there were none. From here on the step takes the calls of the answer.
     *
     * @throws RecorderException if the attempt is over, chunks are lost, or the stream broke off within a tool call
     */
    public AssistantMessage complete() {
        synchronized (log) {
            settleToComplete();
            ChunkAssembly assembly = trail.assembly();
            if (!assembly.isFinished() && assembly.hasBrokenCall()) {
                throw log.refusal(
                        where(),
                        "a stream that has finished, for an answer with tool calls",
                        "one that broke off within a call: say interrupted() or failed(…)");
            }
            return completed(message(assembly.content(), replayState(assembly)));
        }
    }

    /**
     * As {@link #complete()}, with an answer that somebody else has put together.
     *
     * @throws RecorderException also if a call of it has no id or that of another one, so that no result could name it
     */
    public AssistantMessage complete(Message answer) {
        synchronized (log) {
            settleToComplete();
            Set<String> ids = new HashSet<>();
            for (ToolCallBlock call : answer.toolCalls()) {
                if (call.id().isEmpty() || !ids.add(call.id())) {
                    throw log.refusal(
                            where(),
                            "an id for each tool call that no other one has",
                            "\"" + call.id() + "\" for tool \"" + call.name() + "\"");
                }
            }
            return completed(answer);
        }
    }

    private void settleToComplete() {
        needOpen("an answer");
        settle();
        needAllChunks();
    }

    private AssistantMessage completed(Message answer) {
        AssistantMessage payload = payload(answer);
        EventDraft draft = EventDraft.of(payload, citing());
        if (asked == null) {
            log.append(where(), List.of(draft));
        } else {
            first(draft, asked);
        }
        over(State.COMPLETED);
        step.answered(payload);
        return payload;
    }

    /** The first event stands where its request was derived from: whatever came between has not changed that. */
    private Appended first(EventDraft draft, Surface derivedFrom) {
        Surface base = derivedFrom;
        while (true) {
            try {
                Appended appended = log.appendAt(where(), draft, base.nextSeq());
                asked = null;
                return appended;
            } catch (StaleSeqException e) {
                base = log.refreshed();
                if (!derivesSame(base, derivedFrom)) {
                    over(State.OVERTAKEN);
                    overtaken = new RequestOvertakenException(
                            log.session(), where(), derivedFrom.nextSeq(), base.nextSeq());
                    throw overtaken;
                }
            }
        }
    }

    private static boolean derivesSame(Surface one, Surface other) {
        return one.generation() == other.generation()
                && one.nodes().size() == other.nodes().size()
                && one.requestHeaderEvent()
                        .map(SessionEvent::seq)
                        .equals(other.requestHeaderEvent().map(SessionEvent::seq));
    }

    /**
     * Breaks it off: what was streamed becomes an assistant message marked as interrupted, of its text and reasoning only, which
     * cites exactly its chunks. Nothing is written where no text was shown, or where the message is refused: the text stays in
     * its chunks then.
     *
     * @return the message, empty where none was written
     * @throws RecorderException if the attempt is over
     */
    public Optional<AssistantMessage> interrupted() {
        synchronized (log) {
            needOpen("an interruption");
            settle();
            throwUntold();
            Optional<AssistantMessage> kept = kept();
            List<EventDraft> drafts = kept.stream()
                    .map(message -> EventDraft.of(message, citing()))
                    .toList();
            boolean whole = step.turn().write(lean -> lean ? List.of() : drafts);
            over(State.INTERRUPTED);
            return whole ? kept : Optional.empty();
        }
    }

    /**
     * Says that the model failed. What that leaves in the log depends on whether another attempt follows; nothing is written
     * yet.
     *
     * @throws RecorderException if the attempt is over
     */
    public void failed(Throwable error) {
        synchronized (log) {
            needOpen("a failure");
            settle();
            throwUntold();
            fault = TurnFault.of(error);
            over(State.FAILED);
        }
    }

    /** As {@link #failed(Throwable)}, and that another attempt is to follow after this time: the {@code llm/retry} is written. */
    public void failed(Throwable error, Duration delay) {
        synchronized (log) {
            needOpen("a failure");
            settle();
            throwUntold();
            TurnFault found = TurnFault.of(error);
            announceRetry(found, delay);
            fault = found;
            over(State.FAILED);
        }
    }

    /** Ends it as {@link #interrupted()} does, if it is not over. */
    @Override
    public void close() {
        synchronized (log) {
            if (state != State.OPEN) {
                return;
            }
            if (log.isLost()) {
                over(State.INTERRUPTED);
                return;
            }
            settle();
            if (!log.isLost()) {
                step.turn()
                        .write(lean ->
                                lean ? List.of() : leftBehind().map(List::of).orElse(List.of()));
            }
            over(State.INTERRUPTED);
            throwUntold();
        }
    }

    /** Writes that another attempt follows, unless that is written. */
    void announceRetry() {
        if (!retryAnnounced && fault != null) {
            announceRetry(fault, null);
        }
    }

    private void announceRetry(TurnFault found, @Nullable Duration delay) {
        CutToFit.write(longest -> {
            JsonObject data = JsonObject.builder()
                    .put("turn", step.turn().number())
                    .put("step", step.number())
                    .put("attempt", number)
                    .put("error", CutToFit.texts(found.json(), longest))
                    .putIfPresent("delayMs", delay == null ? null : TimeUnit.MILLISECONDS.convert(delay))
                    .build();
            return log.append(where(), List.of(EventDraft.of(OpaquePayload.of(EventType.LLM_RETRY, data))));
        });
        retryAnnounced = true;
    }

    /** The message that the end of the step has to leave of it, empty if none. */
    Optional<EventDraft> leftBehind() {
        return state == State.OPEN || state == State.FAILED
                ? kept().map(message -> EventDraft.of(message, citing()))
                : Optional.empty();
    }

    private Optional<AssistantMessage> kept() {
        ChunkAssembly assembly = trail.assembly();
        return assembly.hasVisibleText()
                ? Optional.of(
                        payload(message(assembly.interruptedContent(), null)).asInterrupted())
                : Optional.empty();
    }

    private Message message(List<ContentBlock> content, @Nullable Json replayState) {
        MessageSource source = MessageSource.model(header.provider(), header.model());
        return Message.of(
                UUID.randomUUID().toString(),
                Message.ASSISTANT,
                replayState == null ? source : new MessageSource(source.json().with("replayState", replayState)),
                content);
    }

    /** What the provider gave to go on with speaks of all its blocks, so it is kept only with all of them. */
    private static @Nullable Json replayState(ChunkAssembly assembly) {
        return assembly.hasBrokenCall() ? null : assembly.replayState();
    }

    private AssistantMessage payload(Message message) {
        AssistantMessage payload = AssistantMessage.of(step.turn().number(), step.number(), message);
        return trail.assembly().usage().map(payload::withUsage).orElse(payload);
    }

    private SurfaceIntent citing() {
        return SurfaceIntent.append().citing(trail.stored());
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    /** What its first event was refused with, empty if it was not. */
    Optional<RequestOvertakenException> overtaken() {
        return Optional.ofNullable(overtaken);
    }

    boolean hasFailed() {
        return state == State.FAILED;
    }

    Optional<TurnFault> failure() {
        return Optional.ofNullable(fault);
    }

    void settle() {
        trail.await();
        if (trail.failure() != null) {
            log.noteLost(trail.failure());
        }
    }

    void throwUntold() {
        log.throwUntold(trail);
    }

    /** Its step has ended in the log. */
    void closed() {
        if (state == State.OPEN) {
            over(State.INTERRUPTED);
        }
    }

    private void over(State end) {
        state = end;
        log.streaming = null;
    }

    private void needAllChunks() {
        log.needAll(where(), trail);
    }

    private void needOpen(String what) {
        step.needOpen(what);
        if (state != State.OPEN) {
            throw log.refusal(
                    where(),
                    "an open attempt for " + what,
                    "that it was " + state.name().toLowerCase(java.util.Locale.ROOT));
        }
    }

    private String where() {
        return step.where() + ", attempt " + number;
    }
}
