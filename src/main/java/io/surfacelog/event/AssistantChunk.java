package io.surfacelog.event;

/**
 * One raw chunk of the provider's stream.
 *
 * @param json the data, with the integers {@code turn} and {@code step} from 1 and an object {@code chunk}
 */
public record AssistantChunk(JsonObject json) implements LogOnlyPayload {

    public AssistantChunk {
        Shape.integer(json, "turn", 1);
        Shape.integer(json, "step", 1);
        Shape.object(json, "chunk");
    }

    public static AssistantChunk of(long turn, long step, StreamChunk chunk) {
        return new AssistantChunk(JsonObject.builder()
                .put("turn", turn)
                .put("step", step)
                .put("chunk", chunk.json())
                .build());
    }

    public long turn() {
        return Shape.integer(json, "turn", 1);
    }

    public long step() {
        return Shape.integer(json, "step", 1);
    }

    public StreamChunk chunk() {
        return StreamChunk.of(Shape.object(json, "chunk"));
    }

    @Override
    public String type() {
        return EventType.ASSISTANT_CHUNK;
    }
}
