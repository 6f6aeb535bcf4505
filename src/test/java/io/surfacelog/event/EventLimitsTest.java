package io.surfacelog.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.testing.OddValues;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Depth and size of an event, at the limit and one beyond it, whichever way the event comes. */
class EventLimitsTest {

    /** Data nested so deep that the event has this many levels, its own object being the first. */
    private static String data(int levelsOfEvent) {
        return "[".repeat(levelsOfEvent - 1) + "]".repeat(levelsOfEvent - 1);
    }

    private static Json typedData(int levelsOfEvent) {
        Json value = JsonArray.EMPTY;
        for (int level = 2; level < levelsOfEvent; level++) {
            value = JsonArray.of(List.of(value));
        }
        return value;
    }

    private static String event(String data) {
        return "{\"type\":\"hook/deep\",\"seq\":0,\"time\":0,\"data\":" + data + "}";
    }

    private static void assertRefused(AdmissionRule rule, ThrowingCallable reading) {
        assertThatThrownBy(reading)
                .isInstanceOfSatisfying(
                        AdmissionException.class,
                        refusal -> assertThat(refusal.rule()).isEqualTo(rule));
    }

    @Test
    void two_thousand_levels_are_accepted_and_one_more_is_not() {
        EventCandidate deepest = EventCandidate.read(event(data(2_000)), EventLimits.defaults());
        assertThat(deepest.data().text()).isEqualTo(data(2_000));
        assertRefused(AdmissionRule.LIMIT_DEPTH, () -> EventCandidate.read(event(data(2_001)), EventLimits.defaults()));
    }

    @Test
    void data_built_by_hand_is_held_to_the_same_depth() {
        JsonObject sound = JsonObject.builder()
                .put("type", "hook/deep")
                .put("seq", 0)
                .put("time", 0)
                .put("data", typedData(2_000))
                .build();
        assertThatCode(() -> EventCandidate.of(sound, EventLimits.defaults())).doesNotThrowAnyException();
        JsonObject deep = sound.with("data", typedData(2_001));
        assertRefused(AdmissionRule.LIMIT_DEPTH, () -> EventCandidate.of(deep, EventLimits.defaults()));
    }

    @Test
    void a_typed_event_is_held_to_the_same_depth() {
        EventLimits limits = EventLimits.defaults();
        assertThatCode(() -> limits.check(typed(typedData(2_000)))).doesNotThrowAnyException();
        assertRefused(AdmissionRule.LIMIT_DEPTH, () -> limits.check(typed(typedData(2_001))));
        assertRefused(AdmissionRule.LIMIT_DEPTH, () -> limits.check(typed(typedData(200_000))));
    }

    @Test
    void brackets_inside_strings_are_no_levels() {
        String brackets = "[{".repeat(3_000) + "\\\"";
        assertThatCode(() -> EventCandidate.read(event("\"" + brackets + "\""), EventLimits.defaults()))
                .doesNotThrowAnyException();
        assertThatCode(() -> EventLimits.defaults().check(typed(Json.of("\"[[".repeat(3_000)))))
                .doesNotThrowAnyException();
    }

    @Test
    void many_shallow_values_are_no_depth() {
        String wide = "[" + "[],".repeat(5_000) + "{}]";
        assertThatCode(() -> EventCandidate.read(event(wide), EventLimits.defaults()))
                .doesNotThrowAnyException();
    }

    private static EventCandidate typed(Json data) {
        return EventCandidate.of(SessionEvent.of(0, 0, "hook/deep", JsonText.of(data), null, false));
    }

    @Test
    void size_is_that_of_the_compact_event_in_utf_8_and_the_limit_is_still_accepted() {
        Seeds.forEach(150, seed -> {
            for (SessionEvent event : SessionGenerator.any(seed).log(25)) {
                SessionEvent large = padded(event, new SplittableRandom(seed));
                String text = large.toText();
                int size = text.getBytes(StandardCharsets.UTF_8).length;
                EventLimits exact = new EventLimits(size);
                EventLimits tooSmall = new EventLimits(size - 1);
                assertThatCode(() -> exact.check(EventCandidate.of(large))).doesNotThrowAnyException();
                assertThatCode(() -> EventCandidate.read(text, exact)).doesNotThrowAnyException();
                assertRefused(AdmissionRule.LIMIT_EVENT_BYTES, () -> tooSmall.check(EventCandidate.of(large)));
                assertRefused(AdmissionRule.LIMIT_EVENT_BYTES, () -> EventCandidate.read(text, tooSmall));
            }
        });
    }

    /** The event with so much in its data that its size is one that may be set as a limit. */
    private static SessionEvent padded(SessionEvent event, SplittableRandom random) {
        String pad = new OddValues(random).text().repeat(3) + "é漢😀".repeat(120);
        Json data = event.data().value() instanceof JsonObject object
                ? object.with("pad", Json.of(pad))
                : JsonArray.of(List.of(event.data().value(), Json.of(pad)));
        return SessionEvent.of(
                event.seq(),
                event.time(),
                event.type(),
                JsonText.of(data),
                event.intent().orElse(null),
                event.ignorable());
    }

    @Test
    void a_type_full_of_escapes_counts_too() {
        String type = "x/" + "\0".repeat(120);
        Json data = Json.of("漢".repeat(110));
        SessionEvent event = SessionEvent.of(0, 0, type, JsonText.of(data), null, true);
        int size = event.toText().getBytes(StandardCharsets.UTF_8).length;
        assertThat(size).isGreaterThan(1_024);
        assertRefused(AdmissionRule.LIMIT_EVENT_BYTES, () -> new EventLimits(1_024).check(EventCandidate.of(event)));
    }

    @Test
    void an_event_that_cites_without_end_is_refused_and_not_counted_out() {
        SurfaceIntent intent = SurfaceIntent.append().citing(EventSeqs.range(0, JsonNumber.MAX_SAFE));
        SessionEvent event =
                SessionEvent.of(0, 0, EventType.USER_MESSAGE, JsonText.of(JsonObject.EMPTY), intent, false);
        assertRefused(
                AdmissionRule.LIMIT_EVENT_BYTES, () -> EventLimits.defaults().check(EventCandidate.of(event)));
    }

    @Test
    void numbers_of_the_envelope_count_as_they_will_be_written() {
        String start = "{\"type\":\"user/message\",\"seq\":2e3,\"time\":1,\"data\":{\"id\":\"m\",\"text\":\"";
        String end = "\"},\"surfaceOp\":\"append\",\"sourceEventSeqs\":[%s]}";
        String plain = start.replace("2e3", "2000") + String.format(end, "1000,1010");
        String filler = "x".repeat(1_024 - plain.length());
        String fits = start + filler + String.format(end, "1e3,10.10e2");
        EventLimits limits = new EventLimits(1_024);

        EventCandidate.read(fits, limits);
        assertRefused(
                AdmissionRule.LIMIT_EVENT_BYTES,
                () -> EventCandidate.read(fits.replace("\"text\":\"", "\"text\":\"y"), limits));
    }

    @Test
    void a_limit_below_one_kilobyte_is_no_limit_to_set() {
        assertThatThrownBy(() -> new EventLimits(1_023))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1023");
    }

    @Test
    void a_time_or_seq_that_is_no_safe_integer_makes_no_event() {
        JsonText data = JsonText.of(JsonNull.NULL);
        long safe = JsonNumber.MAX_SAFE;
        assertThatCode(() -> SessionEvent.of(safe, -safe, "hook/x", data, null, false))
                .doesNotThrowAnyException();
        for (long time : new long[] {safe + 1, -safe - 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertRefused(AdmissionRule.ENVELOPE, () -> SessionEvent.of(0, time, "hook/x", data, null, false));
        }
        for (long seq : new long[] {-1, safe + 1, Long.MIN_VALUE}) {
            assertRefused(AdmissionRule.ENVELOPE, () -> SessionEvent.of(seq, 0, "hook/x", data, null, false));
        }
    }
}
