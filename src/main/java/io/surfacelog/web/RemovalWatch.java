package io.surfacelog.web;

import io.surfacelog.command.CommandInterceptor;
import io.surfacelog.command.DeleteSession;
import io.surfacelog.command.EraseSession;
import io.surfacelog.command.SessionCommand;
import java.util.concurrent.CompletableFuture;

/** Has the feeds of a session end as soon as this process has removed it. */
final class RemovalWatch implements CommandInterceptor {

    private final Runnable lookForRemovals;

    RemovalWatch(Runnable lookForRemovals) {
        this.lookForRemovals = lookForRemovals;
    }

    @Override
    public <R> CompletableFuture<R> intercept(SessionCommand<R> command, Chain chain) {
        CompletableFuture<R> result = chain.proceed(command);
        if (command instanceof DeleteSession || command instanceof EraseSession) {
            return result.whenComplete((done, failure) -> lookForRemovals.run());
        }
        return result;
    }
}
