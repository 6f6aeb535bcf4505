package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.ToolCall;
import io.surfacelog.event.ToolResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds by itself what each event of a recorded log must cite, from nothing but the order of its events. */
final class CitedChunks {

    private final List<SessionEvent> log;
    private final boolean mayHaveHoles;
    private final Map<String, Long> started = new HashMap<>();
    private List<Long> before = List.of();
    private List<Long> current = new ArrayList<>();

    CitedChunks(List<SessionEvent> log, boolean mayHaveHoles) {
        this.log = log;
        this.mayHaveHoles = mayHaveHoles;
    }

    void check() {
        for (SessionEvent event : log) {
            switch (event.type()) {
                case EventType.STEP_START -> {
                    started.clear();
                    before = List.of();
                    current = new ArrayList<>();
                }
                case EventType.LLM_RETRY -> {
                    before = current;
                    current = new ArrayList<>();
                }
                case EventType.ASSISTANT_CHUNK -> current.add(event.seq());
                case EventType.ASSISTANT_MESSAGE -> message(event, (AssistantMessage) event.payload());
                case EventType.TOOL_CALL -> started.put(((ToolCall) event.payload()).callId(), event.seq());
                case EventType.TOOL_RESULT -> result(event, ((ToolResult) event.payload()).callId());
                default -> {
                    // cites nothing
                }
            }
        }
    }

    private void message(SessionEvent event, AssistantMessage message) {
        List<Long> cited = cited(event);
        if (message.message().id().startsWith("interrupted-assistant-message-")) {
            return; // written by recovery, which has laws of its own
        }
        List<Long> streamed = message.interrupted() && current.isEmpty() ? before : current;
        if (message.interrupted() && mayHaveHoles) {
            assertThat(streamed).as("seq %d", event.seq()).startsWith(cited.toArray(Long[]::new));
            assertThat(cited).isNotEmpty();
        } else {
            assertThat(cited).as("seq %d", event.seq()).isEqualTo(streamed);
        }
        if (message.message().text().equals("own")) {
            return;
        }
        StringBuilder first = new StringBuilder();
        StringBuilder second = new StringBuilder();
        for (long seq : cited) {
            if (((AssistantChunk) log.get((int) seq).payload()).chunk() instanceof StreamChunk.TextDelta delta) {
                (delta.index() == 0 ? first : second).append(delta.text());
            }
        }
        assertThat(message.message().text()).isIn(first.toString() + second, second.toString() + first);
        if (message.interrupted()) {
            assertThat(message.message().toolCalls()).isEmpty();
            assertThat(message.message().text()).isNotBlank();
        }
    }

    private void result(SessionEvent event, String callId) {
        Long call = started.get(callId);
        assertThat(cited(event)).as("seq %d", event.seq()).isEqualTo(call == null ? List.of() : List.of(call));
    }

    private static List<Long> cited(SessionEvent event) {
        return event.intent().orElseThrow().sources().orElse(EventSeqs.NONE).stream()
                .boxed()
                .toList();
    }
}
