package io.surfacelog.surface;

import static io.surfacelog.testing.LogBuilder.call;
import static io.surfacelog.testing.LogBuilder.log;
import static io.surfacelog.testing.LogBuilder.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.Usage;
import io.surfacelog.testing.LogBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What recovery makes of text that was streamed but never recorded. */
class SalvagedTextTest {

    private static LogBuilder inStep() {
        return log().turnStart(1).stepStart(1);
    }

    private static List<SessionEvent> closers(LogBuilder log) {
        return Closers.of(log.surface(), LogReader.of(log.events()), new RecoverySettings(true, false));
    }

    private static SessionEvent salvaged(LogBuilder log) {
        SessionEvent first = closers(log).get(0);
        assertThat(first.type()).isEqualTo(EventType.ASSISTANT_MESSAGE);
        return first;
    }

    private static List<ContentBlock> content(LogBuilder log) {
        return ((AssistantMessage) salvaged(log).payload()).message().content();
    }

    private static EventSeqs cited(LogBuilder log) {
        return salvaged(log).intent().orElseThrow().sources().orElseThrow();
    }

    private static void assertNothingSalvaged(LogBuilder log) {
        assertThat(closers(log)).extracting(SessionEvent::type).containsExactly(EventType.STEP_END, EventType.TURN_END);
    }

    @Test
    void streamed_text_becomes_an_interrupted_message_of_the_open_step() {
        SessionEvent event = salvaged(inStep().chunk(StreamChunk.text(0, "Hel")).chunk(StreamChunk.text(0, "lo")));
        AssistantMessage message = (AssistantMessage) event.payload();
        assertThat(message.message().content()).containsExactly(TextBlock.of("Hello"));
        assertThat(message.message().id()).isEqualTo("interrupted-assistant-message-4");
        assertThat(message.interrupted()).isTrue();
        assertThat(message.turn()).hasValue(1);
        assertThat(message.step()).hasValue(1);
        assertThat(event.intent().orElseThrow().isAppend()).isTrue();
        assertThat(event.intent().orElseThrow().sources()).contains(EventSeqs.of(2, 3));
    }

    @Test
    void it_stands_before_the_closers_of_step_and_turn_and_is_what_the_model_sees() {
        LogBuilder log = inStep().chunk(StreamChunk.text(0, "Hello"));
        assertThat(closers(log))
                .extracting(SessionEvent::type)
                .containsExactly(EventType.ASSISTANT_MESSAGE, EventType.STEP_END, EventType.TURN_END);
        assertThat(log.surface().plan(closers(log)).after().messages())
                .extracting(message -> message.text())
                .containsExactly("Hello");
    }

    @Test
    void interleaved_reasoning_and_text_come_apart_by_kind_and_index_in_the_order_they_began() {
        LogBuilder log = inStep().chunk(StreamChunk.reasoning(0, "let me "))
                .chunk(StreamChunk.text(1, "The "))
                .chunk(StreamChunk.reasoning(0, "think"))
                .chunk(StreamChunk.text(0, "aside"))
                .chunk(StreamChunk.text(1, "answer"));
        assertThat(content(log))
                .containsExactly(ReasoningBlock.of("let me think"), TextBlock.of("The answer"), TextBlock.of("aside"));
        assertThat(cited(log)).isEqualTo(EventSeqs.range(2, 6));
    }

    @Test
    void only_the_chunks_that_gave_text_are_cited() {
        LogBuilder log = inStep().chunk(StreamChunk.blockStart(0, "text"))
                .chunk(StreamChunk.text(0, ""))
                .chunk(StreamChunk.text(0, "Hi"))
                .chunk(StreamChunk.reasoning(1, ""))
                .chunk(StreamChunk.toolCall(2, "c1", "read", "{}"))
                .chunk(StreamChunk.usage(Usage.of(1, 1)))
                .chunk(StreamChunk.blockEnd(0, text("Hi")));
        assertThat(content(log)).containsExactly(TextBlock.of("Hi"));
        assertThat(cited(log)).isEqualTo(EventSeqs.of(4));
    }

    @Test
    void a_block_that_came_whole_is_taken_from_its_end() {
        LogBuilder log = inStep().chunk(StreamChunk.text(0, ""))
                .chunk(StreamChunk.blockEnd(0, text("whole")))
                .chunk(StreamChunk.blockEnd(1, ReasoningBlock.of("thought")))
                .chunk(StreamChunk.blockEnd(2, call("c1")));
        assertThat(content(log)).containsExactly(TextBlock.of("whole"), ReasoningBlock.of("thought"));
        assertThat(cited(log)).isEqualTo(EventSeqs.of(3, 4));
    }

    @Test
    void of_several_attempts_only_the_last_one_counts() {
        LogBuilder finished = inStep().chunk(StreamChunk.text(0, "first"))
                .chunk(StreamChunk.finish("error"))
                .chunk(StreamChunk.text(0, "second"));
        assertThat(content(finished)).containsExactly(TextBlock.of("second"));
        assertThat(cited(finished)).isEqualTo(EventSeqs.of(4));
        LogBuilder retried = inStep().chunk(StreamChunk.text(0, "first"))
                .add(new OpaquePayload(EventType.LLM_RETRY, JsonObject.EMPTY))
                .chunk(StreamChunk.text(0, "second"));
        assertThat(content(retried)).containsExactly(TextBlock.of("second"));
        LogBuilder recorded = inStep().chunk(StreamChunk.text(0, "first"))
                .assistant(text("first"))
                .chunk(StreamChunk.text(0, "second"));
        assertThat(content(recorded)).containsExactly(TextBlock.of("second"));
    }

    @Test
    void a_retry_of_which_nothing_was_streamed_gives_nothing() {
        assertNothingSalvaged(inStep().chunk(StreamChunk.text(0, "first"))
                .add(new OpaquePayload(EventType.LLM_RETRY, JsonObject.EMPTY)));
    }

    @Test
    void what_was_recorded_is_not_salvaged() {
        assertNothingSalvaged(inStep().chunk(StreamChunk.text(0, "hi")).assistant(text("hi")));
    }

    @Test
    void a_replace_of_an_earlier_assistant_message_records_nothing() {
        LogBuilder log = log().turnStart(1)
                .stepStart(1)
                .assistant(text("old"))
                .stepEnd()
                .stepStart(2)
                .chunk(StreamChunk.text(0, "new"));
        log.replace(2, 2, log.at(1, 1).assistantMessage(text("short")));
        assertThat(content(log)).containsExactly(TextBlock.of("new"));
    }

    @Test
    void blank_text_gives_nothing_however_much_was_thought() {
        assertNothingSalvaged(inStep());
        assertNothingSalvaged(inStep().chunk(StreamChunk.text(0, " \n\t")));
        assertNothingSalvaged(inStep().chunk(StreamChunk.reasoning(0, "a plan")).chunk(StreamChunk.text(1, " ")));
        assertNothingSalvaged(inStep().chunk(StreamChunk.toolCall(0, "c1", "read", "{\"path\":")));
    }

    @Test
    void white_space_around_visible_text_is_kept() {
        assertThat(content(inStep().chunk(StreamChunk.text(0, " \n")).chunk(StreamChunk.text(0, "x "))))
                .containsExactly(TextBlock.of(" \nx "));
    }

    @Test
    void chunks_of_another_step_do_not_belong_to_the_open_one() {
        assertNothingSalvaged(inStep().at(1, 2).chunk(StreamChunk.text(0, "stray")));
        LogBuilder log = inStep().chunk(StreamChunk.text(0, "a"))
                .at(2, 1)
                .chunk(StreamChunk.text(0, "stray"))
                .at(1, 1)
                .chunk(StreamChunk.text(0, "b"));
        assertThat(content(log)).containsExactly(TextBlock.of("ab"));
        assertThat(cited(log)).isEqualTo(EventSeqs.of(2, 4));
    }

    @Test
    void an_event_that_only_looks_like_a_chunk_is_passed_over() {
        assertThat(content(inStep().add(new OpaquePayload(EventType.ASSISTANT_CHUNK, Json.of("odd")))
                        .chunk(StreamChunk.text(0, "hi"))))
                .containsExactly(TextBlock.of("hi"));
    }

    @Test
    void the_source_is_provider_and_model_of_the_header_in_force() {
        SessionEvent event = salvaged(log().add(RequestHeader.of("old", "m-0", null, RequestHeader.INITIAL))
                .turnStart(1)
                .stepStart(1)
                .add(RequestHeader.of("acme", "m-1", null, RequestHeader.CHANGE))
                .chunk(StreamChunk.text(0, "hi")));
        AssistantMessage message = (AssistantMessage) event.payload();
        assertThat(message.message().source().provider()).contains("acme");
        assertThat(message.message().source().model()).contains("m-1");
    }

    @Test
    void without_a_header_the_source_is_unknown() {
        AssistantMessage message = (AssistantMessage)
                salvaged(inStep().chunk(StreamChunk.text(0, "hi"))).payload();
        assertThat(message.message().source().provider()).contains("unknown");
        assertThat(message.message().source().model()).contains("unknown");
    }

    @Test
    void switched_off_nothing_is_salvaged() {
        LogBuilder log = inStep().chunk(StreamChunk.text(0, "hi"));
        assertThat(Closers.of(log.surface(), LogReader.of(log.events()), new RecoverySettings(false, true)))
                .extracting(SessionEvent::type)
                .containsExactly(EventType.STEP_END, EventType.TURN_END);
    }
}
