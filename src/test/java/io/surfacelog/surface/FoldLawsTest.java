package io.surfacelog.surface;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceOp;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What must hold of the fold for every log that is admitted. */
class FoldLawsTest {

    @Test
    void folding_event_by_event_equals_folding_from_zero_at_every_prefix() {
        Seeds.forEach(200, seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log();
            Surface incremental = Surface.empty();
            for (int length = 1; length <= log.size(); length++) {
                incremental = incremental.plan(List.of(log.get(length - 1))).after();
                List<SessionEvent> prefix = log.subList(0, length);
                Surface full = Surface.empty().plan(prefix).after();
                assertThat(Views.of(incremental)).as("after %s", length).isEqualTo(Views.of(full));
                for (RecoverySettings settings : ClosersLawsTest.ALL_SETTINGS) {
                    assertThat(Closers.of(incremental, LogReader.of(prefix), settings))
                            .as("closers after %s with %s", length, settings)
                            .isEqualTo(Closers.of(full, LogReader.of(prefix), settings));
                }
            }
        });
    }

    @Test
    void the_fold_equals_a_naive_one_at_every_prefix() {
        Seeds.forEach(400, seed -> {
            Surface surface = Surface.empty();
            NaiveFold naive = new NaiveFold();
            for (SessionEvent event : SessionGenerator.any(seed).log()) {
                surface = surface.plan(List.of(event)).after();
                naive.add(event);
                Views views = Views.of(surface);
                assertThat(views.nodeSeqs()).as("nodes after %s", event).isEqualTo(naive.nodeSeqs());
                assertThat(views.nodes()).isEqualTo(naive.nodes);
                assertThat(views.messageSeqs()).as("messages after %s", event).isEqualTo(naive.messageSeqs());
                assertThat(surface.messages().stream().map(Message::json).toList())
                        .isEqualTo(naive.messages());
                assertThat(views.header().orElse(null)).isSameAs(naive.header);
                assertThat(views.context().orElse(null)).isSameAs(naive.context);
                assertThat(views.generation()).isEqualTo(naive.hidden.size());
                assertThat(views.nextSeq()).isEqualTo(event.seq() + 1);
                assertThat(views.lastTime()).isEqualTo(event.time());
            }
        });
    }

    @Test
    void replacements_found_on_request_are_those_that_happened() {
        Seeds.forEach(400, seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log();
            assertThat(Replacements.of(log).stream()
                            .map(found -> List.of(
                                    found.seq(),
                                    SurfaceOp.replace(found.start(), found.end()),
                                    found.shadowed().stream().boxed().toList()))
                            .toList())
                    .isEqualTo(NaiveFold.of(log).hidden.stream()
                            .map(hidden -> List.of(
                                    hidden.by().seq(),
                                    hidden.by().intent().orElseThrow().op(),
                                    hidden.seqs()))
                            .toList());
        });
    }

    @Test
    void nothing_is_lost_what_left_the_surface_is_cited_by_what_replaced_it() {
        Seeds.forEach(400, seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log();
            Surface surface = Surface.empty().plan(log).after();
            Set<Long> accounted = new HashSet<>();
            surface.nodes().forEach(node -> accounted.add(node.seq()));
            for (Replacement replacement : Replacements.of(log)) {
                SessionEvent by = log.get(Math.toIntExact(replacement.seq()));
                replacement.shadowed().forEach(seq -> {
                    assertThat(by.intent().orElseThrow().sourcesOrNone().contains(seq))
                            .as("%s cites %s", by, seq)
                            .isTrue();
                    assertThat(accounted.add(seq)).as("%s hidden once", seq).isTrue();
                });
            }
            assertThat(accounted)
                    .isEqualTo(new HashSet<>(log.stream()
                            .filter(SessionEvent::isSurface)
                            .map(SessionEvent::seq)
                            .toList()));
        });
    }

    @Test
    void what_is_admitted_is_admitted_again_from_its_text_and_folds_alike() {
        Seeds.forEach(300, seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log();
            SurfacePlanner reader = Surface.empty().planner(SurfaceRules.standard());
            List<SessionEvent> read = new ArrayList<>();
            for (SessionEvent event : log) {
                assertThat(event.toText()).isEqualTo(event.toJson().toText());
                read.add(reader.add(EventCandidate.read(event.toText(), EventLimits.defaults())));
            }
            assertThat(read).isEqualTo(log);
            assertThat(read.stream().map(SessionEvent::toText).toList())
                    .isEqualTo(log.stream().map(SessionEvent::toText).toList());
            assertThat(Views.of(reader.surface()))
                    .isEqualTo(Views.of(Surface.empty().plan(log).after()));
        });
    }

    @Test
    void a_fold_that_keeps_no_events_gives_the_same_surface() {
        Seeds.forEach(100, seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log();
            SurfacePlanner planner = Surface.empty().planner(SurfaceRules.standard());
            log.forEach(event -> planner.fold(EventCandidate.of(event)));
            assertThat(planner.change().events()).isEmpty();
            assertThat(Views.of(planner.surface()))
                    .isEqualTo(Views.of(Surface.empty().plan(log).after()));
        });
    }
}
