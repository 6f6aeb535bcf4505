package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.CommandStack;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.StoreSuite;
import io.surfacelog.compaction.CompactionOutcome.Compacted;
import io.surfacelog.compaction.CompactionOutcome.NothingToCompact;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.event.UserMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What stands alone is told with the outcome, and keeps nothing else from being compacted. */
class ReportedOrphansTest extends StoreSuite {

    @Test
    void a_result_without_its_call_is_told_until_it_is_hidden() {
        CommandStack stack = start();
        SessionId id = stack.commands.create(header("talk"));
        stack.commands.appendAll(
                id,
                List.of(
                        EventDraft.of(UserMessage.of("Where is it?"), SurfaceIntent.append()),
                        EventDraft.of(
                                ToolResult.of(1, 1, ToolResultBlock.of("gone", "nobody asked")),
                                SurfaceIntent.append())));
        try (Compactions compactions = Compactions.of(
                stack.commands, stack.queries, new ExtractiveSummarizer(), CompactionSettings.defaults())) {
            assertThat(compactions.compactNow(id))
                    .isInstanceOfSatisfying(
                            NothingToCompact.class,
                            nothing -> assertThat(nothing.orphans())
                                    .containsExactly(new Orphan(Orphan.Kind.RESULT_WITHOUT_CALL, 1, "gone")));

            for (int i = 0; i < 20; i++) {
                stack.commands.append(id, UserMessage.of("Is it there now? ".repeat(40)), SurfaceIntent.append());
            }
            assertThat(compactions.compactNow(id))
                    .isInstanceOfSatisfying(
                            Compacted.class, done -> assertThat(done.orphans()).isEmpty());
            assertThat(stack.queries.surface(id).node(1)).isEmpty();
        }
    }
}
