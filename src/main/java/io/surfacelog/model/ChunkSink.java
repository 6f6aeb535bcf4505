package io.surfacelog.model;

import io.surfacelog.event.StreamChunk;

/** Takes the chunks of one attempt. For the thread that streams them. */
public interface ChunkSink {

    /**
     * Takes the next chunk; it is recorded and shown at once.
     *
     * @throws ModelCancelledException if the attempt was cancelled: let it through
     */
    void accept(StreamChunk chunk);

    /** Whether the attempt was cancelled, so that what comes is in vain. */
    boolean isCancelled();
}
