package io.surfacelog.cli;

import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SteeringMessage;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.UserMessage;

/**
 * Shows a session from its events: what the model says as it comes, all else folded to a line each. For the thread that
 * delivers the events.
 */
final class TurnView {

    private final ChatScreen screen;
    private final String name;
    private final EventLines lines = new EventLines();
    private boolean streamed;

    /** @param name what the turns are headed with */
    TurnView(ChatScreen screen, String name) {
        this.screen = screen;
        this.name = name;
    }

    void show(SessionEvent event) {
        if (event.payload() instanceof AssistantChunk chunk) {
            show(chunk.chunk());
            return;
        }
        if (event.payload() instanceof TurnStart start) {
            screen.line("[" + name + " turn " + start.turn() + "]", Ink.STRONG);
        } else if (appended(event) && event.payload() instanceof AssistantMessage said) {
            // so that the names of its calls are known
            lines.of(event);
            if (!streamed) {
                screen.text(said.message().text(), Ink.PLAIN);
            }
            screen.endText();
        } else if (appended(event)
                && event.payload() instanceof SurfacePayload said
                && (said instanceof UserMessage || said instanceof SteeringMessage)) {
            screen.paragraph(EventLines.mark(said) + said.message().text(), Ink.STRONG);
        } else {
            lines.of(event).ifPresent(line -> screen.line(line.text(), line.ink()));
        }
        if (endsAttempt(event)) {
            streamed = false;
        }
    }

    private void show(StreamChunk chunk) {
        if (chunk instanceof StreamChunk.TextDelta delta) {
            streamed = true;
            screen.text(delta.text(), Ink.PLAIN);
        } else if (chunk instanceof StreamChunk.ReasoningDelta delta) {
            screen.text(delta.text(), Ink.FAINT);
        }
    }

    private static boolean appended(SessionEvent event) {
        return event.intent().isPresent() && event.intent().get().isAppend();
    }

    private static boolean endsAttempt(SessionEvent event) {
        return switch (event.type()) {
            case EventType.ASSISTANT_MESSAGE,
                    EventType.LLM_RETRY,
                    EventType.STEP_START,
                    EventType.STEP_END,
                    EventType.TURN_END -> true;
            default -> false;
        };
    }
}
