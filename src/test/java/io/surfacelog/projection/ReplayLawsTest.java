package io.surfacelog.projection;

import static io.surfacelog.projection.SurfaceAssertions.assertSame;
import static io.surfacelog.projection.SurfaceAssertions.assertSameClosers;
import static io.surfacelog.projection.SurfaceAssertions.fold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.command.Appended;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.Drafts;
import io.surfacelog.command.StoreSuite;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceOp;
import io.surfacelog.store.memory.MemoryEventStore;
import io.surfacelog.surface.Replacement;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.TranscriptEntry;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Live, loaded, looked back at: for any log, every way to an answer gives the same one. */
class ReplayLawsTest extends StoreSuite {

    private CommandStack stack;

    @BeforeEach
    void startStack() {
        stack = start(CommandStack.reporting(store()));
    }

    /** Fewer where each event costs a transaction. */
    private int seeds(int inMemory) {
        return store() instanceof MemoryEventStore ? inMemory : Math.max(3, inMemory / 12);
    }

    private SessionId create(long seed) {
        return stack.commands.create(header("s" + seed));
    }

    private void assertLoadsAs(SessionId id, List<SessionEvent> log) {
        assertThat(stored(id)).isEqualTo(log);
        assertThat(stored(id))
                .extracting(SessionEvent::toText)
                .isEqualTo(log.stream().map(SessionEvent::toText).toList());
        Surface loaded = new SurfaceProjection(store(), 1).surface(id);
        Surface folded = fold(log);
        assertSame(loaded, folded, "loaded");
        assertSame(stack.queries.surface(id), folded, "live");
        assertSameClosers(loaded, folded, log, "closers");
    }

    @Nested
    class WhatWasAppended {

        @Test
        void event_by_event_is_the_fold_at_every_step_and_loads_equal() {
            Seeds.forEach(seeds(60), seed -> {
                List<SessionEvent> log = SessionGenerator.any(seed).log();
                SessionId id = create(seed);
                Surface folded = Surface.empty();
                for (SessionEvent event : log) {
                    Appended appended = stack.commands.appendAll(id, List.of(Drafts.of(event)));
                    assertThat(appended.events()).containsExactly(event);
                    folded = folded.plan(List.of(event)).after();
                    assertSame(stack.queries.surface(id), folded, "after " + event.seq());
                }
                assertLoadsAs(id, log);
            });
        }

        @Test
        void in_random_batches_loads_equal() {
            Seeds.forEach(seeds(100), seed -> {
                Random random = new Random(seed);
                List<SessionEvent> log = SessionGenerator.any(seed).log();
                SessionId id = create(seed);
                for (int from = 0; from < log.size(); ) {
                    int to = Math.min(log.size(), from + 1 + random.nextInt(20));
                    stack.commands.appendAll(id, Drafts.of(log.subList(from, to)));
                    from = to;
                    if (random.nextInt(4) == 0) {
                        stack.projection.forget(id);
                    }
                    assertSame(stack.queries.surface(id), fold(log.subList(0, to)), "after " + to);
                }
                assertLoadsAs(id, log);
            });
        }

        @Test
        void without_waiting_loads_equal() {
            Seeds.forEach(seeds(100), seed -> {
                Random random = new Random(seed);
                List<SessionEvent> log = SessionGenerator.any(seed).log();
                SessionId id = create(seed);
                List<CompletableFuture<Appended>> all = new ArrayList<>();
                for (int from = 0; from < log.size(); ) {
                    int to = Math.min(log.size(), from + 1 + random.nextInt(4));
                    all.add(stack.commands.appendAllAsync(id, Drafts.of(log.subList(from, to))));
                    from = to;
                    if (random.nextInt(10) == 0) {
                        stack.projection.forget(id);
                    }
                }
                all.forEach(CompletableFuture::join);
                assertLoadsAs(id, log);
            });
        }
    }

    @Nested
    class AsOf {

        @Test
        void every_seq_is_the_fold_of_the_events_up_to_it() {
            Seeds.forEach(seeds(40), seed -> {
                List<SessionEvent> log = SessionGenerator.any(seed).log();
                SessionId id = stack.commands.create(header("s" + seed));
                if (!log.isEmpty()) {
                    stack.commands.appendAll(id, Drafts.of(log));
                }
                Surface folded = Surface.empty();
                for (SessionEvent event : log) {
                    folded = folded.plan(List.of(event)).after();
                    long seq = event.seq();
                    assertSame(stack.queries.surfaceAsOf(id, seq), folded, "as of " + seq);
                    assertThat(stack.queries.messagesAsOf(id, seq)).isEqualTo(folded.messages());
                    ModelRequest request = stack.queries.requestAsOf(id, seq);
                    assertThat(request)
                            .isEqualTo(new ModelRequest(
                                    folded.requestHeader(), folded.requestContext(), folded.messages()));
                }
                assertThat(stack.queries.request(id).messages()).isEqualTo(folded.messages());
                for (long none : new long[] {-1, log.size(), Long.MAX_VALUE - 1}) {
                    assertThatExceptionOfType(UnknownEventException.class)
                            .isThrownBy(() -> stack.queries.surfaceAsOf(id, none))
                            .satisfies(e -> assertThat(e.nextSeq()).isEqualTo(log.size()));
                }
            });
        }
    }

    @Nested
    class History {

        @Test
        void of_any_log_is_what_a_simple_reading_gives() {
            Seeds.forEach(seeds(80), seed -> {
                List<SessionEvent> log = SessionGenerator.any(seed).log();
                SessionId id = create(seed);
                if (!log.isEmpty()) {
                    stack.commands.appendAll(id, Drafts.of(log));
                }
                assertThat(stack.queries.transcript(id))
                        .extracting(TranscriptEntry::event)
                        .isEqualTo(log.stream().filter(SessionEvent::isSurface).toList());

                List<Replacement> replacements = replacements(log);
                assertThat(stack.queries.replacements(id)).isEqualTo(replacements);

                long[] nodes = stack.queries.surface(id).nodeSeqs();
                Random random = new Random(seed);
                for (SessionEvent event : log) {
                    if (event.isSurface() || random.nextInt(6) == 0) {
                        assertProvenance(stack.queries.provenance(id, event.seq()), event, log, replacements, nodes);
                    }
                }
            });
        }

        /** Lists, and a linear search for everything. */
        private static List<Replacement> replacements(List<SessionEvent> log) {
            List<Replacement> found = new ArrayList<>();
            List<Long> nodes = new ArrayList<>();
            for (SessionEvent event : log) {
                if (!event.isSurface()) {
                    continue;
                }
                if (event.intent().orElseThrow().op() instanceof SurfaceOp.Replace replace) {
                    List<Long> range = nodes.subList(nodes.indexOf(replace.start()), nodes.indexOf(replace.end()) + 1);
                    found.add(new Replacement(
                            event.seq(),
                            replace.start(),
                            replace.end(),
                            EventSeqs.of(
                                    range.stream().mapToLong(Long::longValue).toArray())));
                    range.clear();
                    range.add(event.seq());
                } else {
                    nodes.add(event.seq());
                }
            }
            return found;
        }

        private static void assertProvenance(
                Provenance actual,
                SessionEvent event,
                List<SessionEvent> log,
                List<Replacement> replacements,
                long[] nodes) {
            long seq = event.seq();
            assertThat(actual.event()).isEqualTo(event);
            assertThat(actual.cites())
                    .isEqualTo(
                            event.intent().map(intent -> intent.sourcesOrNone()).orElse(EventSeqs.NONE));
            assertThat(actual.citedBy().toArray())
                    .isEqualTo(log.stream()
                            .filter(later -> later.intent()
                                    .filter(intent -> intent.sourcesOrNone().contains(seq))
                                    .isPresent())
                            .mapToLong(SessionEvent::seq)
                            .toArray());
            assertThat(actual.replaces())
                    .isEqualTo(replacements.stream()
                            .filter(one -> one.seq() == seq)
                            .findFirst());
            assertThat(actual.replacedBy())
                    .isEqualTo(replacements.stream()
                            .filter(one -> one.shadowed().contains(seq))
                            .findFirst());
            assertThat(actual.onSurface()).isEqualTo(EventSeqs.of(nodes).contains(seq));
            List<Long> chain = new ArrayList<>(List.of(seq));
            for (Replacement one : replacements) {
                if (one.shadowed().contains(chain.get(chain.size() - 1))) {
                    chain.add(one.seq());
                }
            }
            assertThat(actual.chain()).isEqualTo(chain);
        }
    }
}
