package io.surfacelog.actuate;

import io.surfacelog.compaction.TokenMeter;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.event.ToolResult;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.surface.Replacement;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/** Actuator endpoint {@code surface}: what the model sees of a session, now or after an earlier event. */
@WebEndpoint(id = "surface")
final class SurfaceEndpoint {

    private final SessionQueries queries;
    private final TokenMeter meter;
    private final InspectProperties inspect;

    SurfaceEndpoint(SessionQueries queries, TokenMeter meter, InspectProperties inspect) {
        this.queries = queries;
        this.meter = meter;
        this.inspect = inspect;
    }

    /** A surface, or a part of it. */
    record SurfaceView(
            String session,
            long events,
            int size,
            long replaces,
            List<NodeView> nodes,
            @Nullable Long next) implements OperationResponseBody {}

    /**
     * One node.
     *
     * @param turn the turn it belongs to, null where the event does not say
     * @param tokens what it costs, by estimate
     * @param replaced the seqs it took off the surface, null unless it is a replace
     */
    record NodeView(
            long seq,
            String type,
            String role,
            @Nullable Long turn,
            long tokens,
            String preview,
            @Nullable List<Long> replaced) {}

    /** As the other, for ids that cannot stand in a path. */
    @ReadOperation
    @Nullable
    SurfaceView named(
            String session, @Nullable Long asOf, @Nullable Long offset, @Nullable Long limit, SecurityContext asking) {
        return surface(session, asOf, offset, limit, asking);
    }

    @ReadOperation
    @Nullable
    SurfaceView surface(
            @Selector String session,
            @Nullable Long asOf,
            @Nullable Long offset,
            @Nullable Long limit,
            SecurityContext asking) {
        long from = Selected.within("offset", offset, 0, Integer.MAX_VALUE, 0);
        long most = Selected.within("limit", limit, 1, 1_000, 1_000);
        Content content = Content.of(inspect, asking);
        return Selected.session(session, id -> view(id, asOf, (int) from, (int) most, content));
    }

    private SurfaceView view(SessionId id, @Nullable Long asOf, int from, int limit, Content content) {
        Surface surface = asOf == null ? queries.refresh(id) : queries.surfaceAsOf(id, asOf);
        Map<Long, Replacement> replacements = new HashMap<>();
        queries.replacements(id).forEach(replacement -> replacements.put(replacement.seq(), replacement));
        List<SurfaceNode> nodes = surface.nodes();
        int to = Math.min(nodes.size(), Math.addExact(Math.min(from, nodes.size()), limit));
        return new SurfaceView(
                id.value(),
                surface.nextSeq(),
                nodes.size(),
                surface.generation(),
                nodes.subList(Math.min(from, nodes.size()), to).stream()
                        .map(node -> view(node, replacements.get(node.seq()), content))
                        .toList(),
                to < nodes.size() ? (long) to : null);
    }

    private NodeView view(SurfaceNode node, @Nullable Replacement replacement, Content content) {
        SessionEvent event = node.event();
        Message message = ((SurfacePayload) event.payload()).message();
        return new NodeView(
                event.seq(),
                event.type(),
                message.role(),
                boxed(turn(event)),
                meter.tokens(node),
                content.preview(text(message)),
                replacement == null
                        ? null
                        : replacement.shadowed().stream().boxed().toList());
    }

    private static OptionalLong turn(SessionEvent event) {
        if (event.payload() instanceof AssistantMessage answer) {
            return answer.turn();
        }
        return event.payload() instanceof ToolResult result ? result.turn() : OptionalLong.empty();
    }

    private static @Nullable Long boxed(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : null;
    }

    /** What a message without text does is call tools, or answer such a call. */
    private static String text(Message message) {
        String text = message.text();
        return text.isEmpty() ? message.json().toText() : text;
    }
}
