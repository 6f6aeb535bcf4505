package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.TurnStart;
import io.surfacelog.testing.LogBuilder;
import io.surfacelog.testing.SharedFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Kinds of fault that people have reported, as far as writing goes. */
class BugCasesTest extends StoreSuite {

    private CommandStack a;
    private CommandStack b;

    @BeforeEach
    void startBoth() {
        a = start();
        b = startAnotherProcess();
    }

    private static List<JsonObject> steps(String name) throws IOException {
        return SharedFolder.json(SharedFolder.bugCases().resolve(name)).array("steps").orElseThrow().items().stream()
                .map(JsonObject.class::cast)
                .toList();
    }

    private static EventDraft draft(Json event) {
        String text = ((JsonString) event).value();
        return switch (text) {
            case "turn/start 1" -> EventDraft.of(TurnStart.of(1));
            case "step/start 1.1" -> EventDraft.of(StepStart.of(1, 1));
            case "step/end 1.1" -> EventDraft.of(StepEnd.of(1, 1));
            case "turn/end 1 @time earlier than the last event" ->
                EventDraft.of(TurnEnd.of(1, TurnEndReason.completed())).at(5);
            case "user/message" -> Drafts.say("hi");
            case "user/message id u9", "the same user/message id u9" -> Drafts.say("u9");
            case "a different message" -> Drafts.say("other");
            case "user/message id u9 again with another body" ->
                EventDraft.of(
                        new io.surfacelog.event.UserMessage(
                                LogBuilder.userMessage("u9").json().with("note", Json.of("another body"))),
                        io.surfacelog.event.SurfaceIntent.append());
            default -> throw new IllegalArgumentException("no draft is known for \"" + text + "\"");
        };
    }

    private static AppendEvents command(SessionId id, JsonObject step) {
        AppendEvents append = AppendEvents.to(
                        id,
                        step.array("events").orElseThrow().items().stream()
                                .map(BugCasesTest::draft)
                                .toList())
                .expectingNextSeq(step.longValue("expectedSeq").orElseThrow());
        return step.string("batchId").map(append::idempotencyKey).orElse(append);
    }

    @Test
    void B01_the_second_recovery_writer_meets_a_conflict_and_the_log_is_closed_once() throws IOException {
        List<String> lines = Files.readAllLines(SharedFolder.bugCases().resolve("B01.jsonl"));
        SessionHeader header = SessionHeader.of(Json.parse(lines.get(0)));
        List<EventCandidate> all = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            all.add(EventCandidate.read(line, EventLimits.defaults()));
        }

        assertThatExceptionOfType(AdmissionException.class)
                .isThrownBy(() -> a.commands.create(CreateSession.imported(header, all, EventTypes.standard())))
                .satisfies(e -> assertThat(e.rule()).isEqualTo(AdmissionRule.SEQ_CONTIGUOUS))
                .satisfies(e -> assertThat(e.at()).hasValue(8))
                .withMessageContaining("expected seq 8, found 5");
        assertThat(a.queries.exists(header.id())).isFalse();

        a.commands.create(CreateSession.imported(header, all.subList(0, 5), EventTypes.standard()));
        SessionId id = header.id();
        long cursor = b.queries.nextSeq(id);
        assertThat(a.commands.recover(id).firstSeq()).isEqualTo(5);
        SessionEvent real = b.queries.event(id, 5); // what B means to append there, from its older cursor

        assertThatExceptionOfType(StaleSeqException.class)
                .isThrownBy(() -> b.commands.append(
                        AppendEvents.to(id, List.of(Drafts.of(real))).expectingNextSeq(cursor)))
                .satisfies(e -> assertThat(e.expected()).isEqualTo(5))
                .satisfies(e -> assertThat(e.found()).isEqualTo(8));
        assertThat(b.commands.recover(id).events()).isEmpty();
        assertThat(stored(id)).extracting(SessionEvent::seq).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }

    @Test
    void B42_appends_are_compared_by_seq_and_one_of_many_wins() throws IOException {
        SessionId id = a.commands.create(header("s"));
        for (JsonObject step : steps("B42.json")) {
            String expect = step.string("expect").orElseThrow();
            AppendEvents append = command(id, step);
            if (step.string("call").orElseThrow().equals("parallel append x16")) {
                List<CompletableFuture<Appended>> all = LongStream.range(0, 16)
                        .mapToObj(i -> (i % 2 == 0 ? a : b).commands.appendAsync(append))
                        .toList();
                assertThat(all.stream().filter(BugCasesTest::succeeded))
                        .as(expect)
                        .hasSize(1);
                assertThat(stored(id)).as(expect).extracting(SessionEvent::seq).containsExactly(0L, 1L, 2L, 3L);
                continue;
            }
            SessionCommands writer = step.string("writer").orElseThrow().equals("A") ? a.commands : b.commands;
            if (expect.startsWith("ok")) {
                assertThat(writer.append(append).events()).as(expect).isNotEmpty();
            } else {
                assertThatExceptionOfType(StaleSeqException.class)
                        .as(expect)
                        .isThrownBy(() -> writer.append(append))
                        .withMessageContaining("to be 0, found 3");
                assertThat(storedNextSeq(id)).isEqualTo(3);
            }
        }
        assertThat(storedNextSeq(id)).isEqualTo(5);
    }

    private static boolean succeeded(CompletableFuture<Appended> append) {
        try {
            return append.join().nextSeq() == 4;
        } catch (CompletionException e) {
            assertThat(e).hasCauseInstanceOf(StaleSeqException.class);
            return false;
        }
    }

    @Test
    void B43_a_retry_returns_the_first_answer_and_never_a_second_event() throws IOException {
        SessionId id = a.commands.create(header("s"));
        a.commands.appendAll(id, List.of(Drafts.say("1"), Drafts.say("2"), Drafts.say("3"), Drafts.say("4")));
        List<JsonObject> steps = steps("B43.json");
        assertThat(steps).hasSize(4);

        Appended first = a.commands.append(command(id, steps.get(0)));
        assertThat(first.nextSeq()).isEqualTo(5);
        for (SessionCommands retrying : List.of(a.commands, b.commands)) {
            Appended again = retrying.append(command(id, steps.get(1)));
            assertThat(again.repeated()).isTrue();
            assertThat(again.events()).isEqualTo(first.events());
            assertThatExceptionOfType(IdempotencyConflictException.class)
                    .isThrownBy(() -> retrying.append(command(id, steps.get(2))));
        }
        // the format allows a message id to come again, and so do we: the key is what tells a retry
        assertThat(a.commands.append(command(id, steps.get(3))).nextSeq()).isEqualTo(6);
        assertThat(Optional.of(storedNextSeq(id))).contains(6L);
    }
}
