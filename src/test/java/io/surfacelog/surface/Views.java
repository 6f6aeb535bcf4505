package io.surfacelog.surface;

import io.surfacelog.event.Message;
import io.surfacelog.event.SessionEvent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Everything a surface shows, copied, so that two surfaces can be compared, or one with what it was before. */
record Views(
        long nextSeq,
        long lastTime,
        long generation,
        List<SessionEvent> nodes,
        List<Long> nodeSeqs,
        List<Message> messages,
        List<Long> messageSeqs,
        Optional<SessionEvent> header,
        Optional<SessionEvent> context,
        List<Finding> findings,
        boolean structured,
        boolean openTurn) {

    static Views of(Surface surface) {
        return new Views(
                surface.nextSeq(),
                surface.lastTime(),
                surface.generation(),
                surface.nodes().stream().map(SurfaceNode::event).toList(),
                Arrays.stream(surface.nodeSeqs()).boxed().toList(),
                List.copyOf(surface.messages()),
                Arrays.stream(surface.messageSeqs()).boxed().toList(),
                surface.requestHeaderEvent(),
                surface.requestContextEvent(),
                List.copyOf(surface.findings()),
                surface.isStructured(),
                surface.hasOpenTurn());
    }
}
