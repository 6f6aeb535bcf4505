package io.surfacelog.agent;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.model.ChunkSink;
import io.surfacelog.model.FinishReason;
import io.surfacelog.model.ModelCall;
import io.surfacelog.model.ModelCancelledException;
import io.surfacelog.model.ModelException;
import io.surfacelog.model.ModelPort;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One attempt: the model streams on a thread of its own into the recorder, so that one that hangs keeps nobody waiting. Once
 * the attempt is over, whatever the model still says is refused.
 */
final class ModelAttempt {

    /** How an attempt went. */
    sealed interface Result {}

    /** The model has said that it is through, and why. */
    record Finished(FinishReason reason) implements Result {}

    /** The turn was cancelled. */
    record Cancelled() implements Result {}

    /** The model failed, or did not come to an end. */
    record Failed(ModelException failure) implements Result {}

    private final ModelPort port;
    private final ModelCall call;
    private final RecordedAttempt recorded;
    private final Duration idleTimeout;
    private final CompletableFuture<Result> result = new CompletableFuture<>();
    private final Object lock = new Object();
    private boolean over;
    private @Nullable FinishReason finished;
    private long lastHeard = System.nanoTime();

    ModelAttempt(ModelPort port, ModelCall call, RecordedAttempt recorded, Duration idleTimeout) {
        this.port = port;
        this.call = call;
        this.recorded = recorded;
        this.idleTimeout = idleTimeout;
    }

    /**
     * Runs it to its end.
     *
     * @throws RuntimeException what kept a chunk from being recorded, unless it was refused
     */
    Result run(AgentThreads threads, Cancellation cancellation) {
        Future<?> streaming = threads.executor().submit(this::stream);
        cancellation.whenCancelled(() -> result.complete(new Cancelled()));
        try {
            return Waiting.in(result, this::leftToIdle, this::silent);
        } finally {
            synchronized (lock) {
                over = true;
            }
            streaming.cancel(true);
        }
    }

    private void stream() {
        try {
            port.stream(call, new Sink());
            synchronized (lock) {
                FinishReason reason = finished;
                result.complete(reason != null ? new Finished(reason) : cutOff());
            }
        } catch (ModelException e) {
            result.complete(new Failed(e));
        } catch (Throwable e) {
            // completes nothing where the attempt is over; a port that gives up by itself has failed
            result.complete(new Failed(broken(e)));
        }
    }

    /** What a model has said cannot be kept: asking again brings the same. */
    static ModelException refused(String code, String what, AdmissionException why) {
        return new ModelException(
                ModelException.Kind.PERMANENT,
                code,
                what + " cannot be kept: " + why.getMessage(),
                null,
                null,
                null,
                why);
    }

    private static Result cutOff() {
        return new Failed(ModelException.of(
                ModelException.Kind.TRANSIENT,
                "STREAM_CUT_OFF",
                "the model's stream ended without a finish chunk: its answer is not complete"));
    }

    private static ModelException broken(Throwable cause) {
        return new ModelException(
                ModelException.Kind.PERMANENT, "MODEL_PORT_FAILED", "the model port failed", null, null, null, cause);
    }

    /** Nanoseconds until the model has been silent for too long. */
    private long leftToIdle() {
        synchronized (lock) {
            return lastHeard + TimeUnit.NANOSECONDS.convert(idleTimeout) - System.nanoTime();
        }
    }

    private Result silent() {
        return new Failed(ModelException.of(
                ModelException.Kind.TRANSIENT,
                "MODEL_SILENT",
                "the model has said nothing for " + idleTimeout + ": expected a chunk within that time"));
    }

    private final class Sink implements ChunkSink {

        @Override
        public void accept(StreamChunk chunk) {
            Objects.requireNonNull(chunk, "chunk");
            synchronized (lock) {
                if (over || result.isDone()) {
                    throw new ModelCancelledException();
                }
                lastHeard = System.nanoTime();
                try {
                    recorded.chunk(chunk);
                } catch (AdmissionException e) {
                    result.complete(new Failed(refused("CHUNK_REFUSED", "a chunk of the model", e)));
                    throw new ModelCancelledException();
                } catch (Throwable e) {
                    // not the model's fault: it ends the attempt with what kept the chunk out of the log
                    result.completeExceptionally(e);
                    throw new ModelCancelledException();
                }
                if (chunk instanceof StreamChunk.Finish finish) {
                    finished = FinishReason.of(finish);
                }
            }
        }

        @Override
        public boolean isCancelled() {
            synchronized (lock) {
                return over || result.isDone();
            }
        }
    }
}
