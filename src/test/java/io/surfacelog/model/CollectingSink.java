package io.surfacelog.model;

import io.surfacelog.event.StreamChunk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Keeps what it was handed, and can be cancelled from any thread. */
final class CollectingSink implements ChunkSink {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final List<StreamChunk> chunks = new ArrayList<>();
    private volatile boolean cancelled;

    @Override
    public void accept(StreamChunk chunk) {
        if (cancelled) {
            throw new ModelCancelledException();
        }
        lock.lock();
        try {
            chunks.add(chunk);
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    void cancel() {
        cancelled = true;
    }

    List<StreamChunk> chunks() {
        lock.lock();
        try {
            return List.copyOf(chunks);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for this many chunks; fails if they do not come. */
    void await(int count) throws InterruptedException {
        long nanos = TimeUnit.SECONDS.toNanos(20);
        lock.lock();
        try {
            while (chunks.size() < count) {
                if (nanos <= 0) {
                    throw new AssertionError("expected " + count + " chunks, found " + chunks);
                }
                nanos = arrived.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The text of all text chunks. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (StreamChunk chunk : chunks()) {
            if (chunk instanceof StreamChunk.TextDelta delta) {
                text.append(delta.text());
            }
        }
        return text.toString();
    }

    List<StreamChunk.ToolCallDelta> toolCalls() {
        return chunks().stream()
                .filter(StreamChunk.ToolCallDelta.class::isInstance)
                .map(StreamChunk.ToolCallDelta.class::cast)
                .toList();
    }

    FinishReason finish() {
        List<StreamChunk> all = chunks();
        if (!all.isEmpty() && all.get(all.size() - 1) instanceof StreamChunk.Finish finish) {
            return FinishReason.of(finish);
        }
        throw new AssertionError("expected a finish chunk at the end, found " + all);
    }

    boolean isFinished() {
        return chunks().stream().anyMatch(StreamChunk.Finish.class::isInstance);
    }

    /** Asks the model and answers what it said. */
    static CollectingSink ask(ModelPort model, ModelCall call) throws InterruptedException {
        CollectingSink sink = new CollectingSink();
        model.stream(call, sink);
        return sink;
    }

    static final Duration PATIENCE = Duration.ofSeconds(20);
}
