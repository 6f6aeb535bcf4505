package io.surfacelog.agent;

import io.surfacelog.command.EventDraft;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.ContextMessage;
import io.surfacelog.event.SteeringMessage;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.UserMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A turn that is being recorded; {@link TurnRecorder} has an example, and what holds for all parts.
 *
 * <p>It ends with {@link #end} or one of its short forms, for which its steps must have ended. {@link #close()} ends it in any
 * state, with the reason {@linkplain #ending declared} beforehand.
 */
public final class RecordedTurn implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RecordedTurn.class);

    private final TurnLog log;
    private final TurnRequest request;
    private final long number;
    private final long startSeq;
    private @Nullable RecordedStep step;
    private long steps;
    private @Nullable TurnEndReason declared;
    private boolean open = true;

    RecordedTurn(TurnLog log, TurnRequest request, long number, long startSeq) {
        this.log = log;
        this.request = request;
        this.number = number;
        this.startSeq = startSeq;
    }

    /** From 1; one more than that of the turn before. */
    public long number() {
        return number;
    }

    /** Whether it has not ended. */
    public boolean isOpen() {
        synchronized (log) {
            return open;
        }
    }

    /**
     * Records what a user says, at the end of the surface; also while a step is open.
     *
     * @throws RecorderException if the turn has ended, or an attempt is open, which the message would seem to have been asked
     *     with
     */
    public void user(UserMessage message) {
        append(message);
    }

    /** Records context, as {@link #user}. */
    public void context(ContextMessage message) {
        append(message);
    }

    /** Records what steers the turn, as {@link #user}. */
    public void steering(SteeringMessage message) {
        append(message);
    }

    private void append(SurfacePayload message) {
        synchronized (log) {
            needOpen(message.type());
            if (step != null) {
                step.needNoOpenAttempt("no open attempt before a " + message.type());
            }
            log.append(where(), List.of(EventDraft.of(message, SurfaceIntent.append())));
        }
    }

    /**
     * Starts the next step.
     *
     * @throws RecorderException if the turn has ended or a step is open
     */
    public RecordedStep startStep() {
        synchronized (log) {
            needOpen("a step");
            needNoOpenStep();
            long next = steps + 1;
            log.append(where(), List.of(EventDraft.of(StepStart.of(number, next))));
            steps = next;
            RecordedStep started = new RecordedStep(log, request, this, next);
            step = started;
            return started;
        }
    }

    /** Ends it as answered. */
    public TurnOutcome completed() {
        return end(TurnEndReason.completed());
    }

    /** Ends it as stopped: by {@code user}, {@code parent} or {@code disposed}. */
    public TurnOutcome aborted(String by) {
        return end(TurnEndReason.aborted(by));
    }

    /** Ends it as failed; the log keeps the messages of all causes, and what a {@code ModelException} tells besides. */
    public TurnOutcome failed(Throwable error) {
        return end(TurnFault.of(error).reason());
    }

    /** Ends it because the model had said as much as it may. */
    public TurnOutcome maxTokens() {
        return end(TurnEndReason.maxTokens());
    }

    /** Ends it because its input was not let through. */
    public TurnOutcome blocked() {
        return end(TurnEndReason.blocked());
    }

    /**
     * Ends it. Where the reason is too long for an event, its texts are cut.
     *
     * @return how it ended, and where it stands in the log
     * @throws RecorderException if it has ended or a step is open
     */
    public TurnOutcome end(TurnEndReason reason) {
        synchronized (log) {
            needOpen("its end");
            needNoOpenStep();
            TurnOutcome outcome = CutToFit.write(longest -> {
                TurnEndReason told = cut(reason, longest);
                long endSeq = log.append(where(), List.of(EventDraft.of(TurnEnd.of(number, told))))
                        .seq();
                return new TurnOutcome(number, told, startSeq, endSeq);
            });
            open = false;
            return outcome;
        }
    }

    private static TurnEndReason cut(TurnEndReason reason, int longest) {
        return new TurnEndReason(CutToFit.texts(reason.json(), longest));
    }

    /** Declares the reason with which {@link #close()} is to end it, in place of one declared before. Writes nothing. */
    public RecordedTurn ending(TurnEndReason reason) {
        synchronized (log) {
            needOpen("a reason to end");
            declared = reason;
            return this;
        }
    }

    /** As {@link #ending(TurnEndReason)}, for a failure. */
    public RecordedTurn ending(Throwable error) {
        return ending(TurnFault.of(error).reason());
    }

    /**
     * Ends it if it has not ended, in one commit: closes its open step as {@link RecordedStep#close()} does, then the turn, with
     * the reason declared; without one with the failure of its last attempt, if that failed and was not followed by another;
     * else as {@code interrupted}. Where that fails it stays open, and may be closed again.
     */
    @Override
    public void close() {
        synchronized (log) {
            if (!open) {
                return;
            }
            RecordedStep last = step;
            if (log.isLost()) {
                open = false;
                return;
            }
            if (last != null && last.isOpen() && last.settledLost()) {
                open = false;
                last.throwUntold();
                return;
            }
            TurnEndReason reason = declared != null ? declared : failure();
            write(lean -> {
                List<EventDraft> drafts = new ArrayList<>();
                if (last != null && last.isOpen()) {
                    drafts.addAll(last.closing(lean));
                }
                drafts.add(EventDraft.of(TurnEnd.of(number, lean ? cut(reason, CutToFit.SHORTEST) : reason)));
                return drafts;
            });
            open = false;
            if (last != null && last.isOpen()) {
                last.closed();
                last.throwUntold();
            }
        }
    }

    private TurnEndReason failure() {
        return step == null
                ? TurnEndReason.interrupted()
                : step.failure().map(TurnFault::reason).orElseGet(TurnEndReason::interrupted);
    }

    /** What closes something, in full or, where that is refused, without what may be too large. */
    interface Closing {
        List<EventDraft> drafts(boolean lean);
    }

    /** Returns whether it was written in full. */
    boolean write(Closing closing) {
        List<EventDraft> drafts = closing.drafts(false);
        if (drafts.isEmpty()) {
            return true;
        }
        try {
            log.append(where(), drafts);
            return true;
        } catch (AdmissionException e) {
            LOG.warn(
                    "closing {} of session \"{}\" without what was refused; streamed text stays in its chunks",
                    where(),
                    log.session(),
                    e);
            List<EventDraft> lean = closing.drafts(true);
            if (!lean.isEmpty()) {
                log.append(where(), lean);
            }
            return false;
        }
    }

    private void needOpen(String what) {
        if (!open) {
            throw log.refusal(where(), "an open turn for " + what, "that it has ended");
        }
    }

    private void needNoOpenStep() {
        if (step != null && step.isOpen()) {
            throw log.refusal(where(), "step " + step.number() + " to end first", "that it is open");
        }
    }

    String where() {
        return "turn " + number;
    }
}
