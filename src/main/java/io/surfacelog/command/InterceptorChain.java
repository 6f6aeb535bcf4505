package io.surfacelog.command;

import java.util.List;
import java.util.ListIterator;
import java.util.concurrent.CompletableFuture;

/** Strings interceptors together, the first outermost. */
final class InterceptorChain {

    private InterceptorChain() {}

    static CommandInterceptor.Chain of(List<CommandInterceptor> interceptors, CommandInterceptor.Chain end) {
        CommandInterceptor.Chain chain = end;
        ListIterator<CommandInterceptor> backwards = interceptors.listIterator(interceptors.size());
        while (backwards.hasPrevious()) {
            chain = new Link(backwards.previous(), chain);
        }
        return chain;
    }

    private record Link(CommandInterceptor interceptor, CommandInterceptor.Chain next)
            implements CommandInterceptor.Chain {

        @Override
        public <R> CompletableFuture<R> proceed(SessionCommand<R> command) {
            return interceptor.intercept(command, next);
        }
    }
}
