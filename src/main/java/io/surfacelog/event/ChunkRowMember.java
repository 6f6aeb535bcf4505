package io.surfacelog.event;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event that may become a member of a row: it has only the members a row can restore, in the order and spelling in
 * which {@link ChunkRow} restores them. Any other event, an extra member or another order, stays a line of its own.
 */
record ChunkRowMember(
        SessionEvent event,
        ChunkRowKind kind,
        JsonNumber turn,
        JsonNumber step,
        JsonNumber index,
        @Nullable String id,
        @Nullable String name,
        String text) {

    /** The member that this event is, or null. Cost: parses the data of a chunk. */
    static @Nullable ChunkRowMember of(SessionEvent event) {
        if (!event.type().equals(EventType.ASSISTANT_CHUNK) || event.ignorable() || event.isSurface()) {
            return null;
        }
        if (!(event.data().value() instanceof JsonObject data)
                || !hasNames(data, "turn", "step", "chunk")
                || !(data.valueAt(0) instanceof JsonNumber turn)
                || !(data.valueAt(1) instanceof JsonNumber step)
                || !(data.valueAt(2) instanceof JsonObject chunk)) {
            return null;
        }
        ChunkRowKind kind = ChunkRowKind.ofChunkType(chunk.string("type").orElse(""));
        if (kind == null
                || !hasChunkNames(kind, chunk)
                || !(chunk.get("index") instanceof JsonNumber index)
                || !(chunk.get(kind.text()) instanceof JsonString text)) {
            return null;
        }
        String id = chunk.string("id").orElse(null);
        String name = chunk.string("name").orElse(null);
        if (kind.namesCall() && (id == null || chunk.has("name") && name == null)) {
            return null;
        }
        return new ChunkRowMember(event, kind, turn, step, index, id, name, text.value());
    }

    private static boolean hasChunkNames(ChunkRowKind kind, JsonObject chunk) {
        return kind.namesCall()
                ? hasNames(chunk, "type", "index", "id", kind.text())
                        || hasNames(chunk, "type", "index", "id", "name", kind.text())
                : hasNames(chunk, "type", "index", kind.text());
    }

    private static boolean hasNames(JsonObject object, String... names) {
        if (object.size() != names.length) {
            return false;
        }
        for (int i = 0; i < names.length; i++) {
            if (!object.nameAt(i).equals(names[i])) {
                return false;
            }
        }
        return true;
    }

    /** Whether the other may stand in one row with this one, their order and times aside. Numbers compare by spelling. */
    boolean sharesRowWith(ChunkRowMember other) {
        return kind == other.kind
                && turn.digits().equals(other.turn.digits())
                && step.digits().equals(other.step.digits())
                && index.digits().equals(other.index.digits())
                && Objects.equals(id, other.id)
                && Objects.equals(name, other.name);
    }
}
