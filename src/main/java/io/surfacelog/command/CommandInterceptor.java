package io.surfacelog.command;

import java.util.concurrent.CompletableFuture;

/**
 * Stands around every write, before admission. Register beans of it, ordered as Spring orders beans; the first is the
 * outermost.
 *
 * <pre>{@code
 * class QuotaInterceptor implements CommandInterceptor {
 *     public <R> CompletableFuture<R> intercept(SessionCommand<R> command, Chain chain) {
 *         quota.check(command.session()); // an exception refuses the command
 *         return chain.proceed(command);
 *     }
 * }
 * }</pre>
 *
 * <p>It may hand on another command, refuse by throwing, or act on the result. It runs on the caller's thread; what it
 * attaches to the future runs on the thread that completes it, and must not block.
 */
public interface CommandInterceptor {

    <R> CompletableFuture<R> intercept(SessionCommand<R> command, Chain chain);

    /** The rest of the chain, at its end admission and commit. */
    interface Chain {

        <R> CompletableFuture<R> proceed(SessionCommand<R> command);
    }
}
