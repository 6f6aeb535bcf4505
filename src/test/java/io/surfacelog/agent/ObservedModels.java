package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.model.ModelCall;
import io.surfacelog.model.ModelPort;
import io.surfacelog.projection.ModelRequest;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.provider.Provider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what every model was asked, and holds it against the log. */
final class ObservedModels {

    private final List<ModelCall> calls = new CopyOnWriteArrayList<>();
    private final Map<SessionId, Long> ofOthers = new ConcurrentHashMap<>();

    /** The events before this one are not of a model that was observed. */
    void beginAt(SessionId id, long seq) {
        ofOthers.put(id, seq);
    }

    ModelPort observe(ModelPort model) {
        return (call, sink) -> {
            calls.add(call);
            model.stream(call, sink);
        };
    }

    List<ModelCall> calls() {
        return calls;
    }

    /** Every attempt that left something in the log: its request, byte for byte, is that of the prefix before it. */
    void expectRebuilt(SessionQueries queries, SessionId id) {
        List<ModelCall> left = new ArrayList<>(
                calls.stream().filter(call -> call.session().equals(id)).toList());
        long inherited = Math.max(queries.header(id).seedLength().orElse(0), ofOthers.getOrDefault(id, 0L));
        for (SessionEvent first : firstOfAttempts(queries.events(id, inherited, queries.nextSeq(id)))) {
            String rebuilt = rendered(queries.requestAsOf(id, first.seq() - 1));
            int asked = 0;
            while (asked < left.size() && !rendered(left.get(asked).request()).equals(rebuilt)) {
                asked++;
            }
            assertThat(asked)
                    .as("attempt that begins with event %s of session %s: no call was asked %s", first, id, rebuilt)
                    .isLessThan(left.size());
            left.subList(0, asked + 1).clear();
        }
    }

    /** The first event that each attempt left: a chunk, else its message. */
    private static List<SessionEvent> firstOfAttempts(List<SessionEvent> log) {
        List<SessionEvent> firsts = new ArrayList<>();
        boolean within = false;
        for (SessionEvent event : log) {
            switch (event.type()) {
                case EventType.STEP_START -> within = false;
                case EventType.ASSISTANT_CHUNK -> {
                    if (!within) {
                        firsts.add(event);
                    }
                    within = true;
                }
                case EventType.LLM_RETRY ->
                    within = false; // of an attempt without a chunk there is nothing to rebuild from
                case EventType.ASSISTANT_MESSAGE -> {
                    if (!within && saysThatNothingWasStreamed(event)) {
                        firsts.add(event);
                    }
                    within = false;
                }
                default -> {
                    // of no attempt
                }
            }
        }
        return firsts;
    }

    /** Behind chunks, also those of an attempt that failed, a message begins no attempt. */
    private static boolean saysThatNothingWasStreamed(SessionEvent event) {
        return event.intent().orElseThrow().sources().filter(EventSeqs::isEmpty).isPresent();
    }

    private static String rendered(ModelRequest request) {
        StringBuilder all = new StringBuilder();
        for (Provider provider : Provider.values()) {
            all.append(provider.render(request.header(), request.messages())
                            .body()
                            .toText())
                    .append('\n');
        }
        return all.toString();
    }
}
