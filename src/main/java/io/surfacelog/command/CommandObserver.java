package io.surfacelog.command;

import java.util.List;

/**
 * Is told how commands go, for those who measure. Register beans of it.
 *
 * <pre>{@code
 * class CommitLog implements CommandObserver {
 *     public void committed(CommitGroup group) {
 *         log.debug("{} writes in {}", group.writes(), group.took());
 *     }
 * }
 * }</pre>
 *
 * <p>What it throws is logged and changes nothing. It is called where others wait, so it must be quick and must not call
 * commands. Safe for use by several threads. Who only wants to know what was committed registers a {@link
 * io.surfacelog.stream.SessionEventListener}; who wants to refuse or change a write, a {@link CommandInterceptor}.
 */
public interface CommandObserver {

    /** Nobody measures. */
    CommandObserver NONE = new CommandObserver() {};

    /**
     * A command is about to pass the interceptors. Called on the caller's thread.
     *
     * @return told how it ended
     */
    default Course begin(SessionCommand<?> command) {
        return Course.UNOBSERVED;
    }

    /** Appends and creations of this process were committed in one transaction. Called on the committing thread. */
    default void committed(CommitGroup group) {}

    /** One command on its way. Exactly one of both is called, once, where the answer arrives. */
    interface Course {

        /** Nobody wants to know. */
        Course UNOBSERVED = new Course() {};

        /** It is durable, or has been found to need nothing; this is what it answers. */
        default void succeeded(Object result) {}

        /** It was refused or failed. */
        default void failed(Throwable cause) {}
    }

    /** All of these as one. What one of them throws keeps nothing from the others. */
    static CommandObserver all(List<CommandObserver> observers) {
        return observers.isEmpty() ? NONE : new CommandObservers(observers);
    }
}
