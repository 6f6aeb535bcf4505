package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.provider.Provider;
import io.surfacelog.surface.Replacement;
import io.surfacelog.surface.Surface;
import java.util.ArrayList;
import java.util.List;

/** What holds of every session that was compacted, however often and whatever happened meanwhile. */
final class WholeConversation {

    private WholeConversation() {}

    static void expect(SessionQueries queries, SessionId id) {
        Surface surface = queries.surface(id);
        assertThat(surface.findings()).as(id.value()).isEmpty();
        for (Provider provider : Provider.values()) {
            assertThat(provider.validate(provider.render(surface.requestHeader(), surface.messages())
                            .body()))
                    .as("%s of %s", provider, id)
                    .isEmpty();
        }
        List<SessionEvent> log = new ArrayList<>();
        queries.forEach(id, log::add);
        Surface folded = Surface.empty().plan(log).after();
        assertThat(folded.nodeSeqs()).isEqualTo(surface.nodeSeqs());
        assertThat(folded.messages()).isEqualTo(surface.messages());
        for (Replacement replacement : queries.replacements(id)) {
            SessionEvent replacing = log.get((int) replacement.seq());
            assertThat(replacing.intent().orElseThrow().sourcesOrNone().toArray())
                    .as("what event %s cites", replacement.seq())
                    .contains(replacement.shadowed().toArray());
            if (replacing.type().equals(EventType.USER_MESSAGE)) {
                SessionEvent start = log.get(
                        (int) replacing.intent().orElseThrow().sourcesOrNone().toArray()[0]);
                assertThat(start.type()).isEqualTo(EventType.COMPACTION_START);
                assertThat(log.get((int) replacement.seq() - 1).type()).isEqualTo(EventType.COMPACTION_SUMMARY);
            }
        }
    }
}
