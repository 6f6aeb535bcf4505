package io.surfacelog.testing;

import io.surfacelog.event.CompactionEnd;
import io.surfacelog.event.CompactionStart;
import io.surfacelog.event.CompactionSummary;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.Shadowed;
import io.surfacelog.event.TextBlock;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Random compactions: start, summary, the replacing message and end, or an end with an error. */
final class CompactionDrafts {

    private final SplittableRandom random;
    private final OddValues odd;
    private final MessageDrafts messages;
    private final ReplaceDrafts replaces;
    private ReplaceDrafts.@Nullable Range range;
    private long started;

    CompactionDrafts(SplittableRandom random, OddValues odd, MessageDrafts messages, ReplaceDrafts replaces) {
        this.random = random;
        this.odd = odd;
        this.messages = messages;
        this.replaces = replaces;
    }

    Draft start(SessionCourse course) {
        String open = course.compaction.map(SessionCourse.Compaction::id).orElse(null);
        Long turn = course.turnOpen ? course.turn : null;
        return open == null
                ? Draft.of(CompactionStart.of("c" + started++, turn))
                : Draft.of(CompactionEnd.of(open, turn, odd.value()));
    }

    /** The event that an open compaction wants next, if it is its time. */
    Optional<Draft> next(SessionCourse course, Surface surface, boolean wholePairs) {
        SessionCourse.Compaction open = course.compaction.orElse(null);
        if (open == null) {
            range = null;
            return Optional.empty();
        }
        if (open.replaced()) {
            return Optional.of(Draft.of(CompactionEnd.of(open.id(), null, null)));
        }
        if (open.summary() >= 0 && range != null) {
            ReplaceDrafts.Range hidden = range;
            range = null;
            return Optional.of(
                    messages.summary(open.id(), replaces.hiding(surface, hidden, open.start(), open.summary())));
        }
        if (random.nextInt(4) > 0) {
            return Optional.empty();
        }
        range = replaces.range(surface, wholePairs).orElse(null);
        return Optional.of(Draft.of(
                range == null
                        ? CompactionEnd.of(open.id(), null, odd.value())
                        : CompactionSummary.of(
                                open.id(),
                                JsonArray.of(List.of(TextBlock.of(odd.text()).json())),
                                shadowed(surface, range),
                                "acme",
                                "m-1")));
    }

    Shadowed shadowed(Surface surface, ReplaceDrafts.Range hidden) {
        List<SurfaceNode> nodes = surface.nodes().subList(hidden.first(), hidden.last() + 1);
        EventSeqs.Builder seqs = EventSeqs.builder();
        nodes.forEach(node -> seqs.add(node.seq()));
        return new Shadowed(
                nodes.get(0).seq(), nodes.get(nodes.size() - 1).seq(), seqs.build(), random.nextInt(90_000));
    }
}
