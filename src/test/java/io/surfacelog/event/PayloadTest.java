package io.surfacelog.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.testing.OddValues;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The vocabulary: typed views over data that is kept as it came. */
class PayloadTest {

    private static final JsonArray NOTE =
            JsonArray.of(List.of(TextBlock.of("note").json()));

    /** One payload of each type, from its factory. */
    static Stream<Payload> factories() {
        Shadowed shadowed = new Shadowed(3, 1, EventSeqs.of(3, 0, 1), 900);
        return Stream.of(
                TurnStart.of(1),
                TurnEnd.of(1, TurnEndReason.error("overloaded", "E529", 529)),
                TurnEnd.of(1, TurnEndReason.abortedByHook("no")),
                StepStart.of(1, 1),
                StepEnd.of(1, 1),
                UserMessage.of("hi"),
                new ContextMessage(UserMessage.of("hi").json()),
                new SteeringMessage(UserMessage.of("hi").json()),
                AssistantChunk.of(1, 1, StreamChunk.toolCall(0, "c1", "read", "{")),
                AssistantMessage.of(1, 1, Message.assistant("acme", "m-1", TextBlock.of("hi")))
                        .withUsage(Usage.of(1, 2))
                        .asInterrupted(),
                AssistantMessage.of(1, 1, Message.assistant("acme", "m-1")),
                ToolCall.of(1, 1, ToolCallBlock.of("c1", "read", "no json")),
                ToolResult.of(1, 1, ToolResultBlock.error("c1", "failed")).withError(new ToolError("E", "e")),
                TodoWrite.of(List.of(new TodoWrite.Todo("x", "pending"))),
                RequestHeader.of("acme", "m-1", "be kind", RequestHeader.INITIAL),
                RequestContext.of("acme", "m-1", 200_000L),
                SessionEndSeed.of(),
                CompactionStart.of("k", 1L),
                CompactionStart.of("k", null),
                CompactionSummary.of("k", NOTE, shadowed, "acme", "m-1"),
                CompactionPrune.of(shadowed),
                CompactionEnd.of("k", null, Json.of("failed")),
                OpaquePayload.of("hook/result", Json.of(7)));
    }

    @ParameterizedTest
    @MethodSource("factories")
    void what_a_factory_makes_passes_admission_and_is_seen_as_what_it_is(Payload payload) {
        assertThatCode(() -> PayloadRules.check(payload.type(), JsonText.of(payload.json())))
                .doesNotThrowAnyException();
        assertThat(EventTypes.standard().isDeclared(payload.type())).isTrue();
        assertThat(Payload.view(payload.type(), payload.json())).isEqualTo(payload);
        assertThat(EventType.isSurface(payload.type())).isEqualTo(payload instanceof SurfacePayload);
        Payload read = Payload.view(payload.type(), Json.parse(payload.json().toText()));
        assertThat(read).isEqualTo(payload).hasSameClassAs(payload);
    }

    @ParameterizedTest
    @MethodSource("factories")
    void extra_members_and_the_order_of_members_are_kept(Payload payload) {
        if (!(payload.json() instanceof JsonObject json)) {
            return;
        }
        List<String> names = new ArrayList<>(json.names());
        JsonObject.Builder turned = JsonObject.builder().put("first", "1.0 comes first");
        Collections.reverse(names);
        names.forEach(name -> turned.put(name, json.get(name)));
        JsonObject data = turned.put("last", JsonNumber.ofDigits("1.0")).build();
        Payload view = Payload.view(payload.type(), data);
        assertThat(view).hasSameClassAs(payload);
        assertThat(view.json().toText())
                .isEqualTo(data.toText())
                .startsWith("{\"first\"")
                .endsWith("\"last\":1.0}");
    }

    @Test
    void extra_members_deep_inside_are_kept_too() {
        JsonObject text = TextBlock.of("hi").json().with("cache", JsonBoolean.TRUE);
        JsonObject message = UserMessage.of("hi")
                .json()
                .with("x", Json.of(1))
                .with("content", JsonArray.of(List.of(text, Json.parse("{\"type\":\"odd\",\"y\":[1.50]}"))));
        UserMessage view = new UserMessage(message);
        assertThat(view.message().json()).isSameAs(message);
        assertThat(view.message().content().get(0).json()).isSameAs(text);
        assertThat(view.message().content().get(1))
                .isInstanceOf(UnknownBlock.class)
                .extracting(block -> block.json().toText())
                .isEqualTo("{\"type\":\"odd\",\"y\":[1.50]}");
    }

    @Nested
    class OddShapes {

        @Test
        void log_only_data_of_another_shape_is_stored_and_seen_as_opaque() {
            List<String> types = List.of(
                    EventType.ASSISTANT_CHUNK,
                    EventType.TODO_WRITE,
                    EventType.REQUEST_CONTEXT,
                    EventType.COMPACTION_START,
                    EventType.COMPACTION_SUMMARY,
                    EventType.COMPACTION_PRUNE,
                    EventType.COMPACTION_END);
            for (String type : types) {
                for (String data : List.of("null", "7", "\"x\"", "[]", "{}", "{\"turn\":\"1\",\"todos\":{}}")) {
                    Json json = Json.parse(data);
                    assertThatCode(() -> PayloadRules.check(type, JsonText.of(json)))
                            .doesNotThrowAnyException();
                    assertThat(Payload.view(type, json)).isEqualTo(new OpaquePayload(type, json));
                }
            }
        }

        @Test
        void a_block_or_chunk_of_another_shape_is_unknown() {
            for (String block : List.of(
                    "{}",
                    "{\"type\":1}",
                    "{\"type\":\"text\"}",
                    "{\"type\":\"reasoning\",\"text\":1}",
                    "{\"type\":\"tool-call\",\"id\":\"c\"}",
                    "{\"type\":\"tool-result\",\"toolCallId\":\"c\",\"content\":\"x\"}",
                    "{\"type\":\"video\"}")) {
                JsonObject json = (JsonObject) Json.parse(block);
                assertThat(ContentBlock.of(json)).isEqualTo(new UnknownBlock(json));
            }
            for (String chunk : List.of(
                    "{}",
                    "{\"type\":\"text-delta\",\"index\":-1,\"text\":\"\"}",
                    "{\"type\":\"tool-call-delta\",\"index\":0,\"id\":\"c\"}",
                    "{\"type\":\"block-end\",\"index\":0}",
                    "{\"type\":\"usage\"}")) {
                JsonObject json = (JsonObject) Json.parse(chunk);
                assertThat(StreamChunk.of(json)).isEqualTo(new StreamChunk.Unknown(json));
            }
        }

        @Test
        void usage_and_error_of_another_shape_are_just_not_there() {
            AssistantMessage message = new AssistantMessage(AssistantMessage.of(1, 1, Message.assistant("a", "m"))
                    .json()
                    .with("usage", Json.of("much")));
            assertThat(message.usage()).isEmpty();
            ToolResult result = new ToolResult(ToolResult.of(1, 1, ToolResultBlock.of("c", "x"))
                    .json()
                    .with("error", Json.of("bad"))
                    .without("turn"));
            assertThat(result.error()).isEmpty();
            assertThat(result.turn()).isEmpty();
        }

        @Test
        void a_number_counts_by_value_not_by_spelling() {
            TurnStart turn = (TurnStart) Payload.view(EventType.TURN_START, Json.parse("{\"turn\":20e-1}"));
            assertThat(turn.turn()).isEqualTo(2);
            assertThat(turn.json().toText()).isEqualTo("{\"turn\":20e-1}");
        }

        @Test
        void a_typed_payload_cannot_be_made_of_data_that_admission_refuses() {
            assertThatThrownBy(() -> TurnStart.of(0)).isInstanceOf(AdmissionException.class);
            assertThatThrownBy(() -> new AssistantMessage(JsonObject.EMPTY)).isInstanceOf(AdmissionException.class);
            assertThatThrownBy(() -> UserMessage.of(Message.assistant("a", "m")))
                    .isInstanceOf(AdmissionException.class);
            assertThatThrownBy(() -> ToolResult.of(1, 1, Message.user(MessageSource.ofKind("user"))))
                    .isInstanceOf(AdmissionException.class);
            assertThatThrownBy(() -> RequestHeader.of("", "m", null, RequestHeader.INITIAL))
                    .isInstanceOf(AdmissionException.class);
        }
    }

    @Test
    void every_event_that_is_admitted_shows_the_message_it_holds() {
        Seeds.forEach(200, seed -> {
            for (SessionEvent event : SessionGenerator.any(seed).log()) {
                assertThat(event.payload().json()).isSameAs(event.data().value());
                assertThat(event.payload().type()).isEqualTo(event.type());
                if (event.isSurface()) {
                    Message message = ((SurfacePayload) event.payload()).message();
                    assertThat(message.content())
                            .hasSize(message.json()
                                    .array("content")
                                    .orElseThrow()
                                    .size());
                }
            }
        });
    }

    @Test
    void a_request_header_is_reported_in_normal_form_and_kept_raw() {
        JsonObject header = (JsonObject) Json.parse("{\"config\":{\"provider\":\"acme\",\"model\":\"m-1\"},"
                + "\"system\":\"\",\"tools\":[],\"adapterDefaults\":{},\"x\":1}");
        RequestHeader payload = RequestHeader.of(header, RequestHeader.RESUME);
        assertThat(payload.header()).isSameAs(header);
        assertThat(payload.normalHeader().names()).containsExactly("config", "x");
        JsonObject full =
                (JsonObject) Json.parse("{\"config\":{\"provider\":\"acme\",\"model\":\"m-1\",\"maxTokens\":5},"
                        + "\"system\":\"s\",\"tools\":[{}],\"adapterDefaults\":{\"maxTokens\":true}}");
        assertThat(RequestHeader.of(full, RequestHeader.CHANGE).normalHeader()).isEqualTo(full);
    }

    @Test
    void equal_events_have_equal_content_whatever_the_spelling_and_differ_when_anything_does() {
        Seeds.forEach(200, seed -> {
            for (SessionEvent event : SessionGenerator.any(seed).log(12)) {
                Json data = Json.parse(event.data().text());
                SessionEvent same = SessionEvent.of(
                        event.seq(),
                        event.time(),
                        event.type(),
                        JsonText.of(data),
                        event.intent().orElse(null),
                        event.ignorable());
                assertThat(same).isEqualTo(event).hasSameHashCodeAs(event);
                SessionEvent later = SessionEvent.of(
                        event.seq() + 1,
                        event.time(),
                        event.type(),
                        event.data(),
                        event.intent().orElse(null),
                        event.ignorable());
                assertThat(later).isNotEqualTo(event);
                assertThat(later.hasContentOf(event)).isTrue();
                Json other = new OddValues(new SplittableRandom(seed)).value();
                SessionEvent changed = SessionEvent.of(
                        event.seq(),
                        event.time(),
                        event.type(),
                        JsonText.of(JsonArray.of(List.of(data, other))),
                        event.intent().orElse(null),
                        event.ignorable());
                assertThat(changed.hasContentOf(event)).isFalse();
            }
        });
    }
}
