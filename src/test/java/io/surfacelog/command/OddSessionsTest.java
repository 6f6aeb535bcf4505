package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonText;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.StoredSession;
import io.surfacelog.testing.LogBuilder;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions that are odd, and right: names of all kinds, clocks that step back, events and citations of any size. */
class OddSessionsTest extends StoreSuite {

    static final List<String> IDS = List.of(
            "n".repeat(300),
            "\u0000",
            "a\u0000b",
            "a",
            "/",
            "..",
            "../../etc/passwd",
            "\ud83d\ude00",
            "\ud83d",
            "\ude00",
            "\ud83d\ude00\ud83d",
            " ",
            "%_*",
            "\"a\"");

    @Test
    void any_text_names_a_session_of_its_own() {
        CommandStack stack = start();
        for (String id : IDS) {
            SessionId created = stack.commands.create(header(id));
            stack.commands.appendAll(created, List.of(Drafts.say("to " + id)));
            stack.commands.append(
                    AppendEvents.to(created, List.of(Drafts.say("again"))).idempotencyKey(id));
        }
        CommandStack other = startAnotherProcess();
        assertThat(other.queries.list(SessionFilter.all()).sessions())
                .extracting(session -> session.id().value())
                .containsExactlyInAnyOrderElementsOf(IDS);
        for (String id : IDS) {
            SessionId session = SessionId.of(id);
            assertThat(other.queries.messages(session))
                    .extracting(message -> message.text())
                    .containsExactly("to " + id, "again");
            assertThat(other.commands
                            .append(AppendEvents.to(session, List.of(Drafts.say("again")))
                                    .idempotencyKey(id))
                            .repeated())
                    .isTrue();
            assertThat(other.queries.list(SessionFilter.all().idContaining(id)).sessions())
                    .extracting(StoredSession::id)
                    .contains(session);
        }
    }

    @Test
    void a_clock_that_steps_back_leaves_events_in_their_order() {
        SessionId id = start().commands.create(header("s"));
        long[] times = {1_000_000, 999_000, 5, -4_000, 2_000_000};
        for (int i = 0; i < times.length; i++) {
            Clock clock = Clock.fixed(Instant.ofEpochMilli(times[i]), ZoneOffset.UTC);
            CommandStack stack = start(CommandStack.on(store()).clock(clock));
            Appended appended = i == 0
                    ? stack.commands.append(id, TurnStart.of(1))
                    : stack.commands.appendAll(id, List.of(Drafts.say("m" + i)));
            assertThat(appended.seq()).isEqualTo(i);
        }
        assertThat(stored(id))
                .extracting(SessionEvent::time)
                .containsExactly(1_000_000L, 999_000L, 5L, -4_000L, 2_000_000L);
        CommandStack past = start(CommandStack.on(store()).clock(Clock.fixed(Instant.ofEpochMilli(3), ZoneOffset.UTC)));
        assertThat(past.commands.recover(id).events())
                .extracting(SessionEvent::time)
                .containsExactly(2_000_000L);
        assertThat(past.queries.messages(id)).hasSize(4);
    }

    @Test
    void an_event_of_20_million_bytes_comes_back_as_it_was() {
        // it stands in the event twice
        String text = new Random(1)
                .ints(10_000_000, ' ', 0x7F)
                .map(c -> c == '"' || c == '\\' ? 'x' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        CommandStack stack = start(CommandStack.on(store()).limits(new EventLimits(24L << 20)));
        SessionId id = stack.commands.create(header("s"));

        Appended appended = stack.commands.appendAll(id, List.of(Drafts.say(text), Drafts.say("after it")));

        assertThat(stored(id).equals(appended.events())).isTrue();
        CommandStack other = startAnotherProcess();
        assertThat(other.queries.messages(id).get(0).text().equals(text)).isTrue();
        assertThat(other.commands.appendAll(id, List.of(Drafts.say("small"))).seq())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void a_message_may_cite_100_000_events(int step) {
        int count = 100_000;
        SessionId id = SessionId.of("s");
        List<EventCandidate> log = new ArrayList<>();
        for (long seq = 0; seq < (long) count * step; seq++) {
            log.add(EventCandidate.of(SessionEvent.of(
                    seq, seq, EventType.TODO_WRITE, JsonText.ofCompact("{\"todos\":[]}"), null, false)));
        }
        CommandStack stack = start();
        stack.commands.importLog(
                new ImportSession(SessionHeader.builder().id(id).build(), log.iterator(), EventTypes.standard()));
        long[] cited = LongStream.range(0, count).map(i -> i * step).toArray();
        if (step == 3) {
            // in no order at all
            Random random = new Random(3);
            for (int i = cited.length - 1; i > 0; i--) {
                int j = random.nextInt(i + 1);
                long swapped = cited[i];
                cited[i] = cited[j];
                cited[j] = swapped;
            }
        }

        Appended appended = stack.commands.append(
                id,
                LogBuilder.userMessage("of everything"),
                SurfaceIntent.append().citing(cited));

        EventSeqs sources =
                stored(id).get(count * step).intent().orElseThrow().sources().orElseThrow();
        assertThat(sources.toArray()).isEqualTo(cited);
        CommandStack other = startAnotherProcess();
        assertThat(other.queries.event(id, appended.seq()))
                .isEqualTo(appended.events().get(0));
        Json data = other.queries.event(id, appended.seq()).data().value();
        assertThat(((JsonObject) data).string("id")).contains("of everything");
    }
}
