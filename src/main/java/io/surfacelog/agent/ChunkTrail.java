package io.surfacelog.agent;

import io.surfacelog.command.Appended;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.StreamChunk;
import java.util.ArrayDeque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of one attempt on their way into the log. What is assembled and cited is what has arrived there, up to the first
 * that has not: text with a hole in it is no text. Guarded by the recorder's lock.
 */
final class ChunkTrail {

    private record Sent(StreamChunk chunk, CompletableFuture<Appended> answer) {}

    private final ArrayDeque<Sent> waiting = new ArrayDeque<>();
    private final EventSeqs.Builder stored = EventSeqs.builder();
    private final ChunkAssembly assembly;
    private @Nullable Throwable failure;
    private boolean told;

    ChunkTrail(ChunkAssembly assembly) {
        this.assembly = assembly;
    }

    void sent(StreamChunk chunk, CompletableFuture<Appended> answer) {
        waiting.add(new Sent(chunk, answer));
    }

    /** Takes in the chunks that have arrived, without waiting for others. */
    void lookUp() {
        while (failure == null
                && !waiting.isEmpty()
                && waiting.element().answer().isDone()) {
            arrive(waiting.remove());
        }
    }

    /** Waits for all chunks to arrive, or to be lost. */
    void await() {
        while (failure == null && !waiting.isEmpty()) {
            arrive(waiting.remove());
        }
    }

    private void arrive(Sent sent) {
        try {
            stored.add(sent.answer().join().seq());
            assembly.add(sent.chunk());
        } catch (CompletionException | CancellationException e) {
            failure = causeOf(e);
            waiting.clear();
        }
    }

    /** What an append failed with that has failed. */
    static Throwable failureOf(CompletableFuture<Appended> failed) {
        try {
            throw new IllegalStateException("expected an append that has failed, found " + failed.join());
        } catch (CompletionException | CancellationException e) {
            return causeOf(e);
        }
    }

    private static Throwable causeOf(RuntimeException e) {
        return e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
    }

    /** Why a chunk did not arrive, null if all have. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** The same, the first time it is asked for: one failure is told once. */
    @Nullable
    Throwable untold() {
        if (told) {
            return null;
        }
        told = failure != null;
        return failure;
    }

    ChunkAssembly assembly() {
        return assembly;
    }

    /** The seqs of the chunks that the assembly is made of. */
    EventSeqs stored() {
        return stored.build();
    }
}
