package io.surfacelog.compaction;

import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.UserMessage;
import io.surfacelog.surface.SurfaceNode;
import java.util.List;

/** The message that takes the place of what a summary hides. */
final class ReplacingMessage {

    /** Begins every replacing message, so that an earlier one can be told from its summary. */
    private static final String OPENING = "[Summary of earlier messages";

    private ReplacingMessage() {}

    static UserMessage of(SummaryRequest request, Summary summary, String compactionId) {
        MessageSource source = new MessageSource(JsonObject.builder()
                .put("kind", "plugin")
                .put("plugin", SummaryRequest.PLUGIN)
                .put("compactionId", compactionId)
                .build());
        return UserMessage.of(Message.user(source, TextBlock.of(text(request, summary))));
    }

    static String text(SummaryRequest request, Summary summary) {
        List<SurfaceNode> hidden = request.hidden();
        return OPENING + ", events " + hidden.get(0).seq() + " to "
                + hidden.get(hidden.size() - 1).seq() + "; they are kept in the log. Go on from it.]\n"
                + summary.text();
    }

    /** The summary that a replacing message carries; the whole text of one that was made elsewhere. */
    static String summaryIn(Message message) {
        String text = message.text();
        int end = text.indexOf("]\n");
        return text.startsWith(OPENING) && end > 0 ? text.substring(end + 2) : text;
    }

    /** The blocks of the summary alone. */
    static JsonArray blocks(Summary summary) {
        return JsonArray.of(List.of(TextBlock.of(summary.text()).json()));
    }
}
