package io.surfacelog.command;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several observers as one, which contains what they throw. */
final class CommandObservers implements CommandObserver {

    private static final Logger LOG = LoggerFactory.getLogger(CommandObservers.class);

    private final List<CommandObserver> observers;

    CommandObservers(List<CommandObserver> observers) {
        this.observers = List.copyOf(observers);
    }

    /** The observer, so that it can do no harm. */
    static CommandObserver contained(CommandObserver observer) {
        return observer == NONE || observer instanceof CommandObservers
                ? observer
                : new CommandObservers(List.of(observer));
    }

    @Override
    public Course begin(SessionCommand<?> command) {
        List<Course> courses = new ArrayList<>(observers.size());
        each(observers, observer -> courses.add(observer.begin(command)));
        return new Courses(courses);
    }

    @Override
    public void committed(CommitGroup group) {
        each(observers, observer -> observer.committed(group));
    }

    private record Courses(List<Course> courses) implements Course {

        @Override
        public void succeeded(Object result) {
            each(courses, course -> course.succeeded(result));
        }

        @Override
        public void failed(Throwable cause) {
            each(courses, course -> course.failed(cause));
        }
    }

    private static <T> void each(List<T> all, Consumer<T> tell) {
        for (T one : all) {
            try {
                tell.accept(one);
            } catch (Throwable e) {
                // a write must not fail, nor its caller wait for ever, for the sake of who measures it
                LOG.error("{} failed; nothing but its measurement is lost", one, e);
            }
        }
    }
}
