package io.surfacelog.model;

import java.util.List;
import java.util.ListIterator;

/**
 * Stands around every call of a model that an agent makes. Register beans of it, ordered as Spring orders beans; the first
 * is the outermost.
 *
 * <pre>{@code
 * class CallLog implements ModelInterceptor {
 *     public void stream(ModelCall call, ChunkSink sink, ModelPort next) throws InterruptedException {
 *         log.info("session {} asks its model", call.session());
 *         next.stream(call, sink);
 *     }
 * }
 * }</pre>
 *
 * <p>Called on the thread that streams, and bound by what {@link ModelPort#stream} says. What it hands to the sink is
 * recorded as the model's, so one that only watches hands on every chunk as it came. Safe for use by several threads.
 */
@FunctionalInterface
public interface ModelInterceptor {

    /**
     * Makes the call.
     *
     * @param next the interceptors after this one, and the model behind them
     * @throws ModelException as the model does, or to refuse the call
     * @throws InterruptedException if the attempt is cancelled while it waits
     */
    void stream(ModelCall call, ChunkSink sink, ModelPort next) throws InterruptedException;

    /** The port behind these interceptors, the first outermost; the port itself if there are none. */
    static ModelPort around(ModelPort port, List<ModelInterceptor> interceptors) {
        ModelPort chain = port;
        ListIterator<ModelInterceptor> backwards = interceptors.listIterator(interceptors.size());
        while (backwards.hasPrevious()) {
            ModelInterceptor interceptor = backwards.previous();
            ModelPort next = chain;
            chain = (call, sink) -> interceptor.stream(call, sink, next);
        }
        return chain;
    }
}
