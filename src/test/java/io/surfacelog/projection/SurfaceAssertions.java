package io.surfacelog.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.surface.Closers;
import io.surfacelog.surface.LogReader;
import io.surfacelog.surface.RecoverySettings;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceCheckpoint;
import java.util.List;

/** Whether two surfaces cannot be told apart. */
final class SurfaceAssertions {

    private SurfaceAssertions() {}

    static void assertSame(Surface actual, Surface expected, String as) {
        assertShown(actual, expected, as);
        assertThat(actual.lastTime()).as(as).isEqualTo(expected.lastTime());
        assertThat(actual.findings()).as(as).isEqualTo(expected.findings());
        assertThat(actual.hasOpenTurn()).as(as).isEqualTo(expected.hasOpenTurn());
        assertThat(actual.isStructured()).as(as).isEqualTo(expected.isStructured());
        assertThat(actual.hasStrayChunks()).as(as).isEqualTo(expected.hasStrayChunks());
        assertThat(actual.textLength()).as(as).isEqualTo(expected.textLength());
        // what cannot be seen, but is folded on: the open step, the calls that wait, where the stream begins
        assertThat(SurfaceCheckpoint.of(actual).bytes())
                .as(as)
                .isEqualTo(SurfaceCheckpoint.of(expected).bytes());
    }

    private static void assertShown(Surface actual, Surface expected, String as) {
        assertThat(actual.nextSeq()).as(as).isEqualTo(expected.nextSeq());
        assertThat(actual.nodeSeqs()).as(as).isEqualTo(expected.nodeSeqs());
        assertThat(actual.messageSeqs()).as(as).isEqualTo(expected.messageSeqs());
        assertThat(actual.messages()).as(as).isEqualTo(expected.messages());
        assertThat(actual.generation()).as(as).isEqualTo(expected.generation());
        assertThat(actual.requestHeaderEvent()).as(as).isEqualTo(expected.requestHeaderEvent());
        assertThat(actual.requestContextEvent()).as(as).isEqualTo(expected.requestContextEvent());
    }

    static void assertSameClosers(Surface actual, Surface expected, List<SessionEvent> log, String as) {
        RecoverySettings settings = RecoverySettings.defaults();
        assertThat(Closers.of(actual, LogReader.of(log), settings))
                .as(as)
                .isEqualTo(Closers.of(expected, LogReader.of(log), settings));
    }

    static Surface fold(List<SessionEvent> log) {
        return Surface.empty().plan(log).after();
    }
}
