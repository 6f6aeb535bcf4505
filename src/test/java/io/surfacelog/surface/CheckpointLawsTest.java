package io.surfacelog.surface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.testing.LogBuilder;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A surface that was put away and taken out again is the surface it was. */
class CheckpointLawsTest {

    static Function<EventSeqs, List<SessionEvent>> from(List<SessionEvent> log) {
        return seqs ->
                seqs.stream().mapToObj(seq -> log.get(Math.toIntExact(seq))).toList();
    }

    private static Surface again(Surface surface, List<SessionEvent> log) {
        return SurfaceCheckpoint.parse(SurfaceCheckpoint.of(surface).bytes()).surface(from(log));
    }

    static void assertNotToldApart(Surface actual, Surface expected, List<SessionEvent> log, String as) {
        assertThat(Views.of(actual)).as(as).isEqualTo(Views.of(expected));
        assertThat(actual.turns()).as(as).isEqualTo(expected.turns());
        assertThat(actual.textLength()).as(as).isEqualTo(expected.textLength());
        assertThat(actual.hasStrayChunks()).as(as).isEqualTo(expected.hasStrayChunks());
        assertThat(SurfaceCheckpoint.of(actual).bytes())
                .as(as)
                .isEqualTo(SurfaceCheckpoint.of(expected).bytes());
        for (RecoverySettings settings : ClosersLawsTest.ALL_SETTINGS) {
            assertThat(Closers.of(actual, LogReader.of(log), settings))
                    .as(as)
                    .isEqualTo(Closers.of(expected, LogReader.of(log), settings));
        }
    }

    @Test
    void what_comes_out_is_what_went_in_at_every_prefix_and_folds_on_alike() {
        Seeds.forEach(120, seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log();
            Surface end = Surface.empty().plan(log).after();
            Surface surface = Surface.empty();
            for (int length = 0; length <= log.size(); length++) {
                List<SessionEvent> prefix = log.subList(0, length);
                Surface again = again(surface, prefix);
                assertNotToldApart(again, surface, prefix, "after " + length);
                assertNotToldApart(again.plan(log.subList(length, log.size())).after(), end, log, "on from " + length);
                if (length < log.size()) {
                    surface = surface.plan(List.of(log.get(length))).after();
                }
            }
        });
    }

    @Test
    void the_text_of_the_nodes_is_measured_as_it_comes_and_goes() {
        Seeds.forEach(100, seed -> {
            Surface surface = Surface.empty();
            for (SessionEvent event : SessionGenerator.any(seed).log()) {
                surface = surface.plan(List.of(event)).after();
                assertThat(surface.textLength())
                        .isEqualTo(surface.nodes().stream()
                                .mapToLong(node -> node.event().data().text().length())
                                .sum());
            }
        });
    }

    @Test
    void a_checkpoint_takes_a_few_bytes_for_each_node() {
        LogBuilder log = LogBuilder.log();
        for (int i = 0; i < 3_000; i++) {
            log.user("message " + i);
            if (i % 3 == 0) {
                log.turnStart(i / 3 + 1).turnEnd();
            }
        }

        assertThat(SurfaceCheckpoint.of(log.surface()).bytes()).hasSizeLessThan(3_000);
    }

    @Test
    void bytes_that_were_cut_off_or_extended_are_refused() {
        Seeds.forEach(30, seed -> {
            byte[] bytes = SurfaceCheckpoint.of(Surface.empty()
                            .plan(SessionGenerator.wild(seed).log(60))
                            .after())
                    .bytes();
            for (int length = 0; length < bytes.length; length++) {
                byte[] cut = Arrays.copyOf(bytes, length);
                assertThatExceptionOfType(UnreadableCheckpointException.class)
                        .as("%s of %s bytes", length, bytes.length)
                        .isThrownBy(() -> SurfaceCheckpoint.parse(cut));
            }
            assertThatExceptionOfType(UnreadableCheckpointException.class)
                    .isThrownBy(() -> SurfaceCheckpoint.parse(Arrays.copyOf(bytes, bytes.length + 1)));
        });
    }

    @Test
    void bytes_that_were_changed_are_refused_or_read_but_never_fail_otherwise() {
        Seeds.forEach(300, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            List<SessionEvent> log = SessionGenerator.any(seed).log(50);
            byte[] bytes =
                    SurfaceCheckpoint.of(Surface.empty().plan(log).after()).bytes();
            for (int i = 0; i < 60; i++) {
                byte[] changed = bytes.clone();
                changed[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                try {
                    SurfaceCheckpoint read = SurfaceCheckpoint.parse(changed);
                    if (read.nextSeq() <= log.size()) {
                        Surface surface = read.surface(from(log));
                        assertThat(SurfaceCheckpoint.of(surface).bytes()).isEqualTo(changed);
                    }
                } catch (UnreadableCheckpointException refused) {
                    assertThat(refused).hasMessageContaining("expected");
                }
            }
        });
    }

    @Test
    void another_version_is_refused_by_its_number() {
        byte[] bytes = SurfaceCheckpoint.of(Surface.empty()).bytes();
        bytes[0]++;

        assertThatExceptionOfType(UnreadableCheckpointException.class)
                .isThrownBy(() -> SurfaceCheckpoint.parse(bytes))
                .withMessageContaining("found version " + bytes[0]);
    }

    @Test
    void events_of_another_log_are_refused() {
        SurfaceCheckpoint checkpoint =
                SurfaceCheckpoint.of(LogBuilder.log().turnStart(1).user("a").surface());
        List<SessionEvent> shorter = new ArrayList<>();
        List<SessionEvent> other = LogBuilder.log().user("b").turnStart(1).events();

        assertThatExceptionOfType(UnreadableCheckpointException.class)
                .isThrownBy(() -> checkpoint.surface(seqs -> shorter));
        assertThatExceptionOfType(UnreadableCheckpointException.class)
                .isThrownBy(() -> checkpoint.surface(from(other)));
    }
}
