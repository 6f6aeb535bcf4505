package io.surfacelog.surface;

import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceOp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The fold as one would first write it, from the format's words and with nothing shared: what the real one must equal. */
final class NaiveFold {

    final List<SessionEvent> nodes = new ArrayList<>();
    final List<Hidden> hidden = new ArrayList<>();

    @Nullable
    SessionEvent header;

    @Nullable
    SessionEvent context;

    /** One replace and what it hid. */
    record Hidden(SessionEvent by, List<Long> seqs) {}

    static NaiveFold of(List<SessionEvent> log) {
        NaiveFold fold = new NaiveFold();
        log.forEach(fold::add);
        return fold;
    }

    void add(SessionEvent event) {
        if (event.type().equals(EventType.REQUEST_HEADER)) {
            header = event;
        }
        if (event.type().equals(EventType.REQUEST_CONTEXT)) {
            context = event;
        }
        Optional<SurfaceOp> op = event.intent().map(intent -> intent.op());
        if (op.isPresent() && op.get() instanceof SurfaceOp.Replace replace) {
            int first = position(replace.start());
            int last = position(replace.end());
            List<SessionEvent> range = nodes.subList(first, last + 1);
            hidden.add(new Hidden(event, range.stream().map(SessionEvent::seq).toList()));
            range.clear();
            nodes.add(first, event);
        } else if (op.isPresent()) {
            nodes.add(event);
        }
    }

    private int position(long seq) {
        return nodes.stream().map(SessionEvent::seq).toList().indexOf(seq);
    }

    List<Long> nodeSeqs() {
        return nodes.stream().map(SessionEvent::seq).toList();
    }

    /** The messages as JSON, in order. */
    List<Json> messages() {
        return speaking().stream().map(NaiveFold::message).toList();
    }

    List<Long> messageSeqs() {
        return speaking().stream().map(SessionEvent::seq).toList();
    }

    private List<SessionEvent> speaking() {
        return nodes.stream()
                .filter(event -> !event.type().equals(EventType.ASSISTANT_MESSAGE)
                        || !((JsonObject) message(event)).get("content").equals(JsonArray.EMPTY))
                .toList();
    }

    private static Json message(SessionEvent event) {
        return switch (event.type()) {
            case EventType.ASSISTANT_MESSAGE, EventType.TOOL_RESULT ->
                ((JsonObject) event.data().value()).get("message");
            default -> event.data().value();
        };
    }
}
