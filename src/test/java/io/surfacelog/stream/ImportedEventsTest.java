package io.surfacelog.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.ImportSession;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.testing.SessionGenerator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The events of an imported log are heard from the store, once and in order, between those before and after it. */
class ImportedEventsTest extends ListenerSuite {

    private static void take(CommandStack stack, String id, int events) {
        List<SessionEvent> log = SessionGenerator.structured(events).log(events);
        stack.commands.importLog(new ImportSession(
                header(id), log.stream().map(EventCandidate::of).iterator(), EventTypes.standard()));
    }

    @Test
    void are_heard_exactly_once_and_in_order() {
        Recorder recorder = new Recorder();
        CommandStack stack = with(100, recorder);
        SessionId other = stack.commands.create(header("other"));
        sayMany(stack, other, 30);
        take(stack, "s", 2_500);
        sayMany(stack, SessionId.of("s"), 20);
        take(stack, "t", 10);
        take(stack, "none", 0);
        sayMany(stack, other, 30);

        for (String id : new String[] {"other", "s", "t"}) {
            until(() -> assertThat(recorder.of(SessionId.of(id))).isEqualTo(stored(SessionId.of(id))));
        }
        assertThat(recorder.heard.stream().map(SessionEventCommitted::position)).isSorted();
        assertThat(recorder.heard).hasSize(30 + 2_500 + 20 + 10 + 30);
    }

    @Test
    void are_heard_and_the_import_is_done_where_only_the_answer_was_lost() {
        Recorder recorder = new Recorder();
        CommandStack stack = with(100, recorder);
        faulty.afterLoad(() -> {
            throw new StoreUnavailableException(StoreUnavailableException.Reason.IO, "the answer was lost");
        });
        take(stack, "s", 40);
        faulty.heal();

        until(() -> assertThat(recorder.of(SessionId.of("s"))).isEqualTo(stored(SessionId.of("s"))));
        assertThat(recorder.heard).hasSize(40);
        assertThat(stack.queries.nextSeq(SessionId.of("s"))).isEqualTo(40);
    }

    @Test
    void are_heard_by_one_that_is_far_behind_too() {
        Blocked blocked = new Blocked();
        Recorder free = new Recorder();
        CommandStack stack = with(2, blocked, free);
        SessionId other = stack.commands.create(header("other"));
        sayMany(stack, other, 1);
        Bounded.await(blocked.entered);
        take(stack, "s", 300);
        sayMany(stack, other, 10);
        take(stack, "t", 300);
        until(() -> assertThat(free.of(SessionId.of("t"))).hasSize(300));
        blocked.release.countDown();

        for (Recorder recorder : List.of(blocked, free)) {
            for (String id : new String[] {"other", "s", "t"}) {
                until(() -> assertThat(recorder.of(SessionId.of(id))).isEqualTo(stored(SessionId.of(id))));
            }
            assertThat(recorder.heard).hasSize(1 + 300 + 10 + 300);
            assertThat(recorder.heard.stream().map(SessionEventCommitted::position))
                    .isSorted();
        }
    }
}
