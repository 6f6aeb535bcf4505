package io.surfacelog.model;

/**
 * A model that can be asked. Implementations are safe for use by several threads.
 *
 * <pre>{@code
 * ModelPort echo = (call, sink) -> {
 *     sink.accept(StreamChunk.text(0, call.request().messages().size() + " messages"));
 *     sink.accept(StreamChunk.finish("stop"));
 * };
 * }</pre>
 */
@FunctionalInterface
public interface ModelPort {

    /**
     * Asks once and hands each chunk over as it arrives, in order; returns behind the last one. It is called on a thread that
     * may wait, and is interrupted when the attempt is cancelled. An answer is complete when a {@code finish} chunk was handed
     * over; a stream that ends without one was cut off.
     *
     * @throws ModelException if the provider refuses or fails, also behind chunks that were handed over
     * @throws InterruptedException if the attempt is cancelled while it waits
     */
    void stream(ModelCall call, ChunkSink sink) throws InterruptedException;
}
