package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.ImportSession;
import io.surfacelog.compaction.CompactionOutcome.Compacted;
import io.surfacelog.event.EventType;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A log that ends at any event of a compaction opens, answers and can be compacted. */
class CrashedCompactionTest extends CompactionSuite {

    @Test
    void wherever_the_log_ends_within_a_compaction_the_next_one_works() {
        conversation(10);
        Compactions compactions = compactions(new ExtractiveSummarizer());
        long from = storedNextSeq(id);
        compactions.compactNow(id);
        List<SessionEvent> log = stored(id);
        for (int length = (int) from; length <= log.size(); length++) {
            SessionId cut = SessionId.of("cut-" + length);
            stack.commands.importLog(new ImportSession(
                    header(cut.value()), candidates(log.subList(0, length)).iterator(), EventTypes.standard()));
            assertThat(stack.queries.messages(cut)).isNotEmpty();
            new Conversation(stack.commands, cut, 4, 10).turns(4);

            assertThat(compactions.compactNow(cut)).as("cut at %s", length).isInstanceOf(Compacted.class);

            assertThat(stack.queries.surface(cut).openCompaction()).isEmpty();
            long starts = stored(cut).stream()
                    .filter(event -> event.type().equals(EventType.COMPACTION_START))
                    .count();
            long ends = stored(cut).stream()
                    .filter(event -> event.type().equals(EventType.COMPACTION_END))
                    .count();
            assertThat(ends).isEqualTo(starts);
            assertThat(stack.queries.surface(cut).findings()).isEmpty();
        }
    }
}
