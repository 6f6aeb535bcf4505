package io.surfacelog.actuate;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.surfacelog.command.AppendEvents;
import io.surfacelog.command.CommandObserver;
import io.surfacelog.command.CreateSession;
import io.surfacelog.command.DeleteSession;
import io.surfacelog.command.DriveSession;
import io.surfacelog.command.EraseSession;
import io.surfacelog.command.ForkSession;
import io.surfacelog.command.ImportSession;
import io.surfacelog.command.RecoverSession;
import io.surfacelog.command.SessionCommand;

/** An observation {@code surfacelog.command} around each command; which session it was is for traces only. */
final class CommandObservations implements CommandObserver {

    static final String NAME = "surfacelog.command";

    /** As the conventions for generative AI call what we call a session. */
    static final String CONVERSATION = "gen_ai.conversation.id";

    private final ObservationRegistry registry;

    CommandObservations(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Course begin(SessionCommand<?> command) {
        String name = name(command);
        Observation observation = Observation.createNotStarted(NAME, registry)
                .contextualName("surfacelog " + name)
                .lowCardinalityKeyValue("command", name);
        if (observation.isNoop()) {
            return Course.UNOBSERVED;
        }
        observation
                .highCardinalityKeyValue(CONVERSATION, command.session().value())
                .start();
        return new Observed(observation);
    }

    private record Observed(Observation observation) implements Course {

        @Override
        public void succeeded(Object result) {
            observation.stop();
        }

        @Override
        public void failed(Throwable cause) {
            observation.error(cause);
            observation.stop();
        }
    }

    private static String name(SessionCommand<?> command) {
        if (command instanceof AppendEvents) {
            return "append";
        } else if (command instanceof CreateSession) {
            return "create";
        } else if (command instanceof ForkSession) {
            return "fork";
        } else if (command instanceof ImportSession) {
            return "import";
        } else if (command instanceof RecoverSession) {
            return "recover";
        } else if (command instanceof DriveSession) {
            return "drive";
        } else if (command instanceof DeleteSession) {
            return "delete";
        } else if (command instanceof EraseSession) {
            return "erase";
        }
        return "other";
    }
}
