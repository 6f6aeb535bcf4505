package io.surfacelog.compaction;

import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.SessionId;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/**
 * What is to be summarised.
 *
 * @param session the session
 * @param surface its surface when the span was chosen
 * @param span the nodes that the summary hides
 * @param hiddenTokens what they are estimated to cost; a summary of as much or more is refused
 * @param maxTokens the largest summary allowed
 * @param attempt the attempt, from 1
 * @param cancelled whether the summary is not wanted any more; may be asked by any thread, and often
 * @param tokens estimates a text
 */
public record SummaryRequest(
        SessionId session,
        Surface surface,
        Span span,
        long hiddenTokens,
        long maxTokens,
        int attempt,
        BooleanSupplier cancelled,
        ToLongFunction<String> tokens) {

    /** The plugin that replacing messages name as their source. */
    static final String PLUGIN = "compact";

    /** The nodes to be hidden, in surface order. */
    public List<SurfaceNode> hidden() {
        return span.nodes(surface);
    }

    /** Whether a node is a summary itself, to be merged into the new one. */
    public static boolean isSummary(SurfaceNode node) {
        return node.derivesMessage() && isSummary(node.message());
    }

    /** Whether a message is a summary that a compaction made. */
    public static boolean isSummary(Message message) {
        MessageSource source = message.source();
        return source.kind().equals("plugin")
                && source.json().string("plugin").filter(PLUGIN::equals).isPresent();
    }
}
