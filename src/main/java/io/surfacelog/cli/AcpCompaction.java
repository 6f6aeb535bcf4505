package io.surfacelog.cli;

import io.surfacelog.compaction.CompactionRequest;
import io.surfacelog.compaction.CompactionRunningException;
import io.surfacelog.compaction.Compactions;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.UserMessage;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The command {@code /compact} of a prompt: no turn runs, the session is compacted, and a message says what became of it. */
final class AcpCompaction {

    private static final String NAME = "compact";

    private final Compactions compactions;

    AcpCompaction(Compactions compactions) {
        this.compactions = compactions;
    }

    /** Whether the prompt is the command and nothing else. */
    static boolean isAskedBy(UserMessage prompt) {
        return prompt.message().content().size() == 1
                && prompt.message().text().strip().equals("/" + NAME);
    }

    /** The update by which a client learns of it. */
    static JsonObject announcement() {
        JsonObject command = JsonObject.builder()
                .put("name", NAME)
                .put("description", "Replaces the older part of what the model sees by a summary")
                .build();
        return JsonObject.builder()
                .put("sessionUpdate", "available_commands_update")
                .put("availableCommands", JsonArray.of(List.of(command)))
                .build();
    }

    /** Compacts the session unless it is cancelled meanwhile; what became of it, in a sentence. */
    JsonObject run(SessionId session, BooleanSupplier isCancelled) {
        String sentence;
        try {
            sentence = CompactedChat.sentence(
                    compactions.compact(CompactionRequest.now(session).cancelledWhen(isCancelled)));
        } catch (CompactionRunningException e) {
            sentence = "It is being compacted already, by " + e.holder() + ".";
        }
        return AcpUpdates.chunk(
                "agent_message_chunk",
                JsonObject.builder().put("type", "text").put("text", sentence).build());
    }
}
