package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionId;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** A suite of appends to one empty session, by a process that declares the type billing/cost. */
abstract class AppendSuite extends StoreSuite {

    CommandStack stack;
    SessionCommands commands;
    SessionId id;

    @BeforeEach
    void createSession() {
        stack = start(CommandStack.on(store()).types(EventTypes.standard().with(List.of("billing/cost"))));
        commands = stack.commands;
        id = commands.create(header("s"));
    }

    static AdmissionRule refusal(Runnable append) {
        AdmissionException[] refused = new AdmissionException[1];
        assertThatExceptionOfType(AdmissionException.class)
                .isThrownBy(append::run)
                .satisfies(e -> refused[0] = e);
        return refused[0].rule();
    }
}
