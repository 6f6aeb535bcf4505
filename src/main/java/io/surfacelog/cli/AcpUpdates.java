package io.surfacelog.cli;

import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.EventPlace;
import io.surfacelog.event.EventType;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.Payload;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SteeringMessage;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCall;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.UserMessage;
import java.util.function.Consumer;

/**
 * Makes session updates of committed events, in log order: of the events of a turn while it runs, chunks included, or of a
 * transcript. What was streamed is not said again by the message that sums it up. For one thread.
 *
 * <p>Context, compaction and what replaces something else have no place in the protocol and are not shown.
 */
final class AcpUpdates {

    private final Consumer<JsonObject> client;
    private final AcpToolCalls calls = new AcpToolCalls();
    private final AcpStreamed text = new AcpStreamed("agent_message_chunk");
    private final AcpStreamed thought = new AcpStreamed("agent_thought_chunk");

    AcpUpdates(Consumer<JsonObject> client) {
        this.client = client;
    }

    /** Says what this event shows, if anything. */
    void accept(SessionEvent event) {
        Payload payload = event.payload();
        EventPlace place = event.place();
        boolean appended = event.intent().map(SurfaceIntent::isAppend).orElse(true);
        if (!appended) {
            return;
        }
        if (payload instanceof AssistantChunk chunk) {
            streamed(chunk.chunk());
        } else if (payload instanceof AssistantMessage message) {
            said(place, message.message());
        } else if (payload instanceof ToolCall call) {
            started(place, call);
        } else if (payload instanceof ToolResult result) {
            answered(place, result);
        } else if (payload instanceof StepStart || event.type().equals(EventType.LLM_RETRY)) {
            // another attempt begins with nothing said
            text.reset();
            thought.reset();
        }
    }

    /** Says what the user said, as a replay has to and a running turn must not: its client knows. */
    void acceptOfUser(SessionEvent event) {
        Payload payload = event.payload();
        boolean typed = payload instanceof UserMessage user
                && user.message().source().kind().equals(Message.USER);
        if (event.intent().filter(SurfaceIntent::isAppend).isPresent()
                && (typed || payload instanceof SteeringMessage)) {
            Message message =
                    payload instanceof UserMessage user ? user.message() : ((SteeringMessage) payload).message();
            for (ContentBlock block : message.content()) {
                AcpContent.shown(block).ifPresent(content -> client.accept(chunk("user_message_chunk", content)));
            }
        }
    }

    static JsonObject chunk(String kind, JsonObject content) {
        return JsonObject.builder()
                .put("sessionUpdate", kind)
                .put("content", content)
                .build();
    }

    private void streamed(StreamChunk chunk) {
        if (chunk instanceof StreamChunk.TextDelta delta) {
            text.delta(delta.text(), client);
        } else if (chunk instanceof StreamChunk.ReasoningDelta delta) {
            thought.delta(delta.text(), client);
        }
    }

    private void said(EventPlace place, Message message) {
        StringBuilder thoughts = new StringBuilder();
        for (ContentBlock block : message.content()) {
            if (block instanceof ReasoningBlock reasoning) {
                thoughts.append(reasoning.text());
            }
        }
        text.begin(message.text());
        thought.begin(thoughts.toString());
        for (ContentBlock block : message.content()) {
            if (block instanceof TextBlock part) {
                text.part(part.text(), client);
            } else if (block instanceof ReasoningBlock part) {
                thought.part(part.text(), client);
            } else if (block instanceof ToolCallBlock call) {
                client.accept(AcpToolUpdate.asked(calls.asked(place, call.id()), call.name(), call.arguments()));
            } else {
                AcpContent.shown(block).ifPresent(content -> client.accept(chunk("agent_message_chunk", content)));
            }
        }
        text.reset();
        thought.reset();
    }

    private void started(EventPlace place, ToolCall call) {
        String name = calls.started(place, call.callId()).orElseGet(() -> {
            String unasked = calls.asked(place, call.callId());
            client.accept(AcpToolUpdate.asked(unasked, call.name(), call.arguments()));
            return calls.started(place, call.callId()).orElse(unasked);
        });
        client.accept(AcpToolUpdate.started(name));
    }

    private void answered(EventPlace place, ToolResult result) {
        String name = calls.answered(place, result.callId()).orElseGet(() -> {
            String unasked = calls.asked(place, result.callId());
            client.accept(AcpToolUpdate.asked(unasked, result.callId(), ""));
            return calls.answered(place, result.callId()).orElse(unasked);
        });
        client.accept(AcpToolUpdate.answered(name, result.block()));
    }
}
