package io.surfacelog.command;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the callers of one commit are to be told when all of it is done. Used by one thread. */
final class Answers {

    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    private final List<Runnable> answers = new ArrayList<>();

    void succeed(PendingWrite write, Appended result) {
        answers.add(() -> write.future().complete(result));
    }

    void fail(PendingWrite write, Throwable cause) {
        answers.add(() -> write.future().completeExceptionally(cause));
    }

    /** Gives every answer, whatever becomes of another. */
    void give() {
        for (Runnable answer : answers) {
            try {
                answer.run();
            } catch (Throwable e) {
                LOG.error("an answer could not be given", e);
            }
        }
    }
}
