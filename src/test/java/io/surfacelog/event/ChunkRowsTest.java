package io.surfacelog.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkRowsTest {

    private static final EventLimits LIMITS = EventLimits.defaults();

    @Nested
    class Vectors {

        @Test
        void events_pack_to_the_recorded_rows() throws IOException {
            int cases = 0;
            for (JsonObject vector : vectors("pack")) {
                assertThat(packed(vector.array("events").orElseThrow()))
                        .as(vector.string("id").orElseThrow())
                        .isEqualTo(texts(vector.array("rows").orElseThrow()));
                cases++;
            }
            assertThat(cases).isEqualTo(275);
        }

        @Test
        void recorded_rows_unpack_to_the_events() throws IOException {
            for (JsonObject vector : vectors("pack")) {
                List<String> events = new ArrayList<>();
                for (Json row : vector.array("rows").orElseThrow().items()) {
                    events.addAll(ChunkRows.isRow(row) ? unpacked(row) : List.of(row.toText()));
                }
                assertThat(events)
                        .as(vector.string("id").orElseThrow())
                        .isEqualTo(texts(vector.array("events").orElseThrow()));
            }
        }

        @Test
        void one_row_decodes_or_is_refused_as_recorded() throws IOException {
            int cases = 0;
            for (JsonObject vector : vectors("decode")) {
                String id = vector.string("id").orElseThrow();
                Json row = Objects.requireNonNull(vector.get("row"));
                cases++;
                if (!vector.isTrue("ok")) {
                    assertThatExceptionOfType(AdmissionException.class)
                            .as(id)
                            .isThrownBy(() -> ChunkRows.unpack(row, LIMITS))
                            .satisfies(refusal -> assertThat(refusal.rule().code())
                                    .as(id)
                                    .isEqualTo(vector.string("rule").orElseThrow()));
                    continue;
                }
                List<String> events = texts(vector.array("events").orElseThrow());
                if (ChunkRows.isRow(row)) {
                    assertThat(unpacked(row)).as(id).isEqualTo(events);
                } else {
                    assertThat(events).as(id).containsExactly(row.toText());
                }
            }
            assertThat(cases).isEqualTo(225);
        }

        /** What could not be an event of ours never meets the packer: it stands between two logs. */
        private static List<String> packed(JsonArray events) {
            List<String> lines = new ArrayList<>();
            List<SessionEvent> log = new ArrayList<>();
            for (Json json : events.items()) {
                try {
                    log.add(event(EventCandidate.of(json, LIMITS)));
                } catch (AdmissionException noEvent) {
                    lines.addAll(ChunkRows.pack(log));
                    log.clear();
                    lines.add(json.toText());
                }
            }
            lines.addAll(ChunkRows.pack(log));
            return lines;
        }

        private static SessionEvent event(EventCandidate candidate) {
            SurfaceIntent intent = candidate.surfaceOp() == null ? null : SurfaceIntent.append();
            return SessionEvent.of(
                    candidate.seq(),
                    candidate.time(),
                    candidate.type(),
                    candidate.data(),
                    intent,
                    candidate.ignorable());
        }
    }

    @Nested
    class Packing {

        @ParameterizedTest
        @MethodSource("io.surfacelog.event.ChunkRowsTest#seeds")
        void is_undone_by_unpacking_text_for_text(long seed) {
            List<SessionEvent> log = ChunkRowLogs.random(new Random(seed), 200);

            List<String> lines = ChunkRows.pack(log);

            assertThat(lines).as("seed %d packs something", seed).hasSizeLessThan(log.size());
            assertThat(lines.stream().map(Json::parse).flatMap(line -> unpacked(line).stream()))
                    .as("seed %d", seed)
                    .isEqualTo(log.stream().map(SessionEvent::toText).toList());
        }

        @Test
        void keeps_the_spelling_of_the_place() {
            List<SessionEvent> log = IntStream.range(0, 3)
                    .mapToObj(
                            i -> delta(
                                    i,
                                    "{\"turn\":1.0,\"step\":1e0,\"chunk\":{\"type\":\"text-delta\",\"index\":0.10,\"text\":\"a\"}}"))
                    .toList();

            assertThat(ChunkRows.pack(log))
                    .containsExactly(
                            "{\"type\":\"text-chunks\",\"seq0\":0,\"time0\":0,\"data\":{\"turn\":1.0,\"step\":1e0,\"index\":0.10,\"dt\":[1,1],\"texts\":[\"a\",\"a\",\"a\"]}}");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"turn\":1.0,\"step\":1,\"chunk\":{\"type\":\"text-delta\",\"index\":0,\"text\":\"a\"}}",
                    "{\"step\":1,\"turn\":1,\"chunk\":{\"type\":\"text-delta\",\"index\":0,\"text\":\"a\"}}",
                    "{\"turn\":1,\"step\":1,\"chunk\":{\"index\":0,\"type\":\"text-delta\",\"text\":\"a\"}}",
                    "{\"turn\":1,\"step\":1,\"chunk\":{\"type\":\"text-delta\",\"index\":0,\"text\":null}}",
                    "{\"turn\":1,\"step\":1,\"chunk\":\"text-delta\"}",
                    "[1,1,{}]"
                })
        void leaves_an_event_alone_that_a_row_would_spell_otherwise(String odd) {
            String plain = "{\"turn\":1,\"step\":1,\"chunk\":{\"type\":\"text-delta\",\"index\":0,\"text\":\"a\"}}";
            List<SessionEvent> log =
                    List.of(delta(0, plain), delta(1, plain), delta(2, odd), delta(3, plain), delta(4, plain));

            assertThat(ChunkRows.pack(log))
                    .isEqualTo(log.stream().map(SessionEvent::toText).toList());
        }

        @Test
        void leaves_a_gap_between_times_alone_that_is_no_safe_integer() {
            List<SessionEvent> log =
                    List.of(text(0, -1, "a"), text(1, JsonNumber.MAX_SAFE, "a"), text(2, JsonNumber.MAX_SAFE, "a"));

            assertThat(ChunkRows.pack(log)).hasSize(3);
        }

        @Test
        void ends_a_row_at_the_documented_number_of_members() {
            List<String> lines = ChunkRows.pack(LongStream.range(0, ChunkRowPacker.MAX_MEMBERS + 3L)
                    .mapToObj(seq -> text(seq, seq, "t"))
                    .toList());

            assertThat(lines).hasSize(2).allMatch(line -> ChunkRows.isRow(Json.parse(line)));
            assertThat(unpacked(Json.parse(lines.get(0)))).hasSize(ChunkRowPacker.MAX_MEMBERS);
        }

        @Test
        void ends_a_row_where_its_events_would_become_too_large() {
            String id = "i".repeat(ChunkRowPacker.MAX_ROW_UNITS / 10);
            List<SessionEvent> log = LongStream.range(0, 30)
                    .mapToObj(seq -> SessionEvent.of(
                            seq,
                            seq,
                            EventType.ASSISTANT_CHUNK,
                            JsonText.ofCompact(
                                    "{\"turn\":1,\"step\":1,\"chunk\":{\"type\":\"tool-call-delta\",\"index\":0,\"id\":\""
                                            + id + "\",\"argumentsDelta\":\"\"}}"),
                            null,
                            false))
                    .toList();

            List<String> lines = ChunkRows.pack(log);

            assertThat(lines).hasSize(4).allMatch(line -> line.length() < 2 * id.length());
            assertThat(lines.stream().map(Json::parse).flatMap(line -> unpacked(line).stream()))
                    .isEqualTo(log.stream().map(SessionEvent::toText).toList());
        }

        @Test
        void holds_no_more_than_one_row_of_an_endless_stream() {
            ChunkRowPacker packer = new ChunkRowPacker();
            long open = 0;
            for (long seq = 0; seq < 50_000; seq++) {
                List<String> lines = packer.add(text(seq, seq, "token"));
                open = lines.isEmpty() ? open + 1 : 1;
                assertThat(open).isLessThanOrEqualTo(ChunkRowPacker.MAX_MEMBERS);
            }
            assertThat(packer.finish()).hasSize(1);
            assertThat(packer.finish()).isEmpty();
        }
    }

    @Nested
    class Unpacking {

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{'type':'text-chunks','seq0':-1,'time0':0.5,'data':null}|row.seq0",
                    "{'type':'text-chunks','seq0':0,'time0':0.5,'data':null}|row.time0",
                    "{'type':'tool-call-chunks','seq0':0,'time0':0,'data':{'turn':'1','step':1,'index':0,'dt':0,'id':1,'args':0}}|row.call-id",
                    "{'type':'text-chunks','seq0':0,'time0':0,'data':{'turn':'1','step':1,'index':0,'dt':0,'texts':0}}|row.place",
                    "{'type':'text-chunks','seq0':0,'time0':0,'data':{'turn':1,'step':1,'index':0,'dt':0,'texts':0}}|row.members",
                    "{'type':'text-chunks','seq0':0,'time0':0,'data':{'turn':1,'step':1,'index':0,'dt':[0.5],'texts':['a']}}|row.dt",
                    "{'type':'text-chunks','seq0':9007199254740991,'time0':9007199254740991,'data':{'turn':1,'step':1,'index':0,'dt':[1],'texts':['a','b']}}|row.seq-range"
                })
        void names_the_first_rule_that_is_broken(String row, String rule) {
            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> ChunkRows.unpack(Json.parse(row.replace('\'', '"')), LIMITS))
                    .satisfies(refusal -> assertThat(refusal.rule().code()).isEqualTo(rule))
                    .satisfies(refusal -> assertThat(refusal.at()).isEmpty());
        }

        @Test
        void compares_integers_by_value() {
            Json row = Json.parse(
                    "{\"type\":\"text-chunks\",\"seq0\":1.0,\"time0\":1e3,\"data\":{\"turn\":1,\"step\":1,\"index\":0,\"dt\":[2.0],\"texts\":[\"a\",\"b\"]}}");

            assertThat(ChunkRows.unpack(row, LIMITS))
                    .extracting(EventCandidate::seq, EventCandidate::time)
                    .containsExactly(tuple(1L, 1_000L), tuple(2L, 1_002L));
        }

        @Test
        void answers_with_the_one_event_that_any_other_value_is() {
            SessionEvent event = text(4, 9, "a");

            assertThat(unpacked(event.toJson())).containsExactly(event.toText());
        }

        @Test
        void gives_a_list_that_cannot_be_changed() {
            List<EventCandidate> members = ChunkRows.unpack(
                    Json.parse(ChunkRows.pack(List.of(text(0, 0, "a"), text(1, 0, "b"), text(2, 0, "c")))
                            .get(0)),
                    LIMITS);

            assertThat(members).isUnmodifiable();
        }

        @Test
        void refuses_a_member_that_is_larger_than_an_event_may_be() {
            EventLimits small = new EventLimits(1_024);
            Json row = rowOf("id", List.of("a", "b".repeat(1_024), "c"));

            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> ChunkRows.unpack(row, small))
                    .satisfies(refusal -> assertThat(refusal.rule()).isEqualTo(AdmissionRule.LIMIT_EVENT_BYTES))
                    .satisfies(refusal -> assertThat(refusal.at()).hasValue(1));
        }

        @ParameterizedTest
        @ValueSource(strings = {"a", "é", "漢", "\uD83D\uDE00", "\uD83D", "\"", "\0", "\\"})
        void counts_a_member_as_the_event_that_it_is(String unit) {
            for (int length = 150; length < 260; length++) {
                Json row = rowOf("id", List.of("", unit.repeat(length)));
                long bytes = ChunkRows.unpack(row, LIMITS).get(1).utf8Bytes();
                EventLimits limits = new EventLimits(1_024);
                if (bytes <= 1_024) {
                    assertThat(ChunkRows.unpack(row, limits)).hasSize(2);
                } else {
                    assertThatExceptionOfType(AdmissionException.class).isThrownBy(() -> ChunkRows.unpack(row, limits));
                }
            }
        }

        @Test
        void refuses_a_row_that_unpacks_to_far_more_than_it_is() {
            Json bomb = rowOf(
                    "i".repeat(1 << 20),
                    IntStream.range(0, 100_000).mapToObj(i -> "").toList());

            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> ChunkRows.unpack(bomb, LIMITS))
                    .satisfies(refusal -> assertThat(refusal.rule()).isEqualTo(AdmissionRule.LIMIT_EVENT_BYTES));
        }

        private static Json rowOf(String id, List<String> args) {
            JsonObject data = JsonObject.builder()
                    .put("turn", 1)
                    .put("step", 1)
                    .put("index", 0)
                    .put("dt", Json.of(args.stream().skip(1).map(arg -> 1).toList()))
                    .put("id", id)
                    .put("args", Json.of(args))
                    .build();
            return JsonObject.builder()
                    .put("type", "tool-call-chunks")
                    .put("seq0", 7)
                    .put("time0", 98)
                    .put("data", data)
                    .build();
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    private static SessionEvent text(long seq, long time, String text) {
        return SessionEvent.of(
                seq,
                time,
                EventType.ASSISTANT_CHUNK,
                JsonText.of(AssistantChunk.of(1, 1, StreamChunk.text(0, text)).json()),
                null,
                false);
    }

    private static SessionEvent delta(long seq, String data) {
        return SessionEvent.of(seq, seq, EventType.ASSISTANT_CHUNK, JsonText.ofCompact(data), null, false);
    }

    private static List<String> unpacked(Json line) {
        return ChunkRows.unpack(line, LIMITS).stream().map(ChunkRowLogs::textOf).toList();
    }

    private static List<String> texts(JsonArray array) {
        return array.items().stream().map(Json::toText).toList();
    }

    private static List<JsonObject> vectors(String kind) throws IOException {
        try (InputStream in = new GZIPInputStream(
                Objects.requireNonNull(ChunkRowsTest.class.getResourceAsStream("/conformance/chunkrows.ndjson.gz")))) {
            List<JsonObject> vectors = new ArrayList<>();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .strip()
                    .split("\n", -1)) {
                JsonObject vector = (JsonObject) Json.parse(line);
                if (vector.string("kind").orElseThrow().equals(kind)) {
                    vectors.add(vector);
                }
            }
            return vectors;
        }
    }
}
