package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.command.CommandStack;
import io.surfacelog.command.DriverLease;
import io.surfacelog.command.FaultyStore;
import io.surfacelog.command.StoreSuite;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.EventType;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.UserMessage;
import io.surfacelog.surface.Surface;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A suite of one session that is driven by one recorder. After each test its log must be without findings. */
abstract class RecorderSuite extends StoreSuite {

    static final JsonObject HEADER =
            RequestHeader.of("acme", "m-1", "Be brief.", RequestHeader.INITIAL).header();

    FaultyStore faulty;
    CommandStack stack;
    SessionId id;
    DriverLease driver;
    TurnRecorder recorder;

    @BeforeEach
    void driveSession() {
        faulty = new FaultyStore(store());
        stack = start(CommandStack.on(faulty));
        id = stack.commands.create(header("s"));
        driver = stack.commands.drive(id);
        recorder = TurnRecorder.of(driver, stack.queries);
    }

    @AfterEach
    void whatWasRecordedIsWellFormed() {
        faulty.heal();
        assertThat(Surface.empty().plan(log()).after().findings()).isEmpty();
    }

    final List<SessionEvent> log() {
        stack.commands.flush(id);
        return stored(id);
    }

    /** The log as one word per event, with what it says and cites. */
    final List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (SessionEvent event : log()) {
            lines.add(line(event));
        }
        return lines;
    }

    private static String line(SessionEvent event) {
        String text = event.type();
        if (event.payload() instanceof UserMessage message) {
            text += " " + message.message().text();
        } else if (event.payload() instanceof AssistantMessage message) {
            text += (message.interrupted() ? " (interrupted) " : " ")
                    + message.message().text();
            for (ToolCallBlock call : message.message().toolCalls()) {
                text += "[" + call.id() + "]";
            }
        } else if (event.payload() instanceof ToolResult result) {
            text += " " + result.callId()
                    + result.error().map(error -> " " + error.code()).orElse("");
        } else if (event.payload() instanceof RequestHeader header) {
            text += " " + header.reason().orElse("");
        } else if (event.payload() instanceof TurnEnd end) {
            text += " " + end.reason().kind();
        } else if (event.type().equals(EventType.ASSISTANT_CHUNK)) {
            return "chunk";
        }
        String cited = event.intent()
                .flatMap(intent -> intent.sources())
                .map(seqs -> " <" + seqs.toText() + ">")
                .orElse("");
        return text.strip() + cited;
    }

    /** An open step of a new turn, with a header in force. */
    final RecordedStep step() {
        RecordedStep step = recorder.startTurn(UserMessage.of("hi")).startStep();
        step.header(HEADER);
        return step;
    }

    /** Answers the step with calls of the tool {@code read}. */
    final List<ToolCallBlock> asked(RecordedStep step, String... ids) {
        RecordedAttempt attempt = step.attempt();
        for (int i = 0; i < ids.length; i++) {
            attempt.chunk(StreamChunk.toolCall(i, ids[i], "read", "{}"));
        }
        attempt.chunk(StreamChunk.finish("tool-calls"));
        return attempt.complete().message().toolCalls();
    }

    /** Checks that a call is refused and leaves the log as it is; returns what was found. */
    final String refused(Runnable call) {
        List<SessionEvent> before = log();
        String[] found = new String[1];
        assertThatExceptionOfType(RecorderException.class).isThrownBy(call::run).satisfies(e -> {
            assertThat(e.session()).isEqualTo(id);
            assertThat(e).hasMessageContaining(e.expected()).hasMessageContaining(e.found());
            found[0] = e.found();
        });
        assertThat(log()).isEqualTo(before);
        return found[0];
    }
}
