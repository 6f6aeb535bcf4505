package io.surfacelog.surface;

import static io.surfacelog.surface.CheckpointLawsTest.assertNotToldApart;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.testing.LogBuilder;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A fold that reads next to no chunks gives what a fold of all events gives. */
class SparseFoldTest {

    private static final SurfaceRules RULES = SurfaceRules.standard();

    /** The surface after each prefix of the log, the empty one first. */
    private static List<Surface> prefixes(List<SessionEvent> log) {
        List<Surface> surfaces = new ArrayList<>(List.of(Surface.empty()));
        log.forEach(event -> surfaces.add(
                surfaces.get(surfaces.size() - 1).plan(List.of(event)).after()));
        return surfaces;
    }

    @Test
    void from_any_prefix_to_any_other_it_is_the_full_fold_unless_a_chunk_strays_between() {
        AtomicInteger chunky = new AtomicInteger();
        Seeds.forEach(60, seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log(70);
            List<Surface> surfaces = prefixes(log);
            for (int from = 0; from <= log.size(); from++) {
                boolean strayedBefore = surfaces.get(from).hasStrayChunks();
                for (int to = from; to <= log.size(); to++) {
                    Surface expected = surfaces.get(to);
                    if (strayedBefore || expected.hasStrayChunks()) {
                        break;
                    }
                    Surface sparse = SparseFold.of(surfaces.get(from), LogReader.of(log), to, RULES);
                    assertNotToldApart(sparse, expected, log.subList(0, to), from + " to " + to);
                    chunky.addAndGet(expected.turns().firstChunk() >= 0 ? 1 : 0);
                }
            }
        });
        assertThat(chunky).hasValueGreaterThan(100);
    }

    @Test
    void with_a_later_surface_it_is_the_full_fold_of_any_log() {
        AtomicInteger strayed = new AtomicInteger();
        Seeds.forEach(60, seed -> {
            List<SessionEvent> log = SessionGenerator.wild(seed).log(70);
            List<Surface> surfaces = prefixes(log);
            Surface later = surfaces.get(log.size());
            for (int from = 0; from <= log.size(); from += 3) {
                for (int to = from; to <= log.size(); to++) {
                    Surface sparse = SparseFold.of(surfaces.get(from), LogReader.of(log), to, RULES, later);
                    assertNotToldApart(sparse, surfaces.get(to), log.subList(0, to), from + " to " + to);
                    strayed.addAndGet(surfaces.get(to).hasStrayChunks() ? 1 : 0);
                }
            }
        });
        assertThat(strayed).hasValueGreaterThan(100);
    }

    @Test
    void reads_no_chunk_but_those_of_the_open_attempt() {
        LogBuilder log = LogBuilder.log().turnStart(1).stepStart(1);
        for (int i = 0; i < 50; i++) {
            log.chunk(StreamChunk.text(0, "a"));
        }
        log.assistant(LogBuilder.text("aa")).stepEnd().stepStart(2);
        for (int i = 0; i < 5; i++) {
            log.chunk(StreamChunk.text(0, "b"));
        }
        List<SessionEvent> chunks = new ArrayList<>();
        LogReader all = LogReader.of(log.events());
        LogReader counting = new LogReader() {

            @Override
            public void forEach(long from, long to, Consumer<SessionEvent> action) {
                all.forEach(from, to, event -> {
                    if (event.type().equals(EventType.ASSISTANT_CHUNK)) {
                        chunks.add(event);
                    }
                    action.accept(event);
                });
            }

            @Override
            public void forEachButChunks(long from, long to, Consumer<SessionEvent> action) {
                all.forEachButChunks(from, to, action);
            }
        };

        Surface sparse = SparseFold.of(Surface.empty(), counting, log.surface().nextSeq(), RULES);

        assertNotToldApart(sparse, log.surface(), log.events(), "sparse");
        assertThat(chunks).hasSize(6); // the last one twice: it is also the last event
    }
}
