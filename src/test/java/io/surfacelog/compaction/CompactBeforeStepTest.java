package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.agent.Agent;
import io.surfacelog.agent.AgentHooks;
import io.surfacelog.agent.AgentProfile;
import io.surfacelog.agent.Agents;
import io.surfacelog.agent.BeforeStep;
import io.surfacelog.agent.RetryPolicy;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.model.ModelException;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.model.Tool;
import io.surfacelog.model.ToolDefinition;
import io.surfacelog.model.ToolOutput;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CompactBeforeStepTest extends CompactionSuite {

    private static ScriptedAnswer tooLong() {
        return ScriptedAnswer.failing(
                ModelException.of(ModelException.Kind.CONTEXT_OVERFLOW, "CONTEXT_OVERFLOW", "too long"));
    }

    private TurnEndReason ask(Compactions compactions, ScriptedModel model, long window, String... questions) {
        return ask(new CompactBeforeStep(compactions), 200, model, window, questions);
    }

    private TurnEndReason ask(BeforeStep hook, int words, ScriptedModel model, long window, String... questions) {
        Tool read = Tool.of(ToolDefinition.of("read", "Reads."), call -> ToolOutput.text("word ".repeat(words)));
        AgentProfile profile = AgentProfile.of(model, "example", "helper-1")
                .tools(read)
                .contextWindow(window)
                .retries(new RetryPolicy(0, Duration.ZERO, Duration.ZERO));
        TurnEndReason reason = TurnEndReason.completed();
        try (Agents agents = Agents.of(
                        stack.commands, stack.queries, AgentHooks.none().beforeStep(hook), 4);
                Agent agent = agents.resume(id, profile)) {
            for (String question : questions) {
                reason = agent.followUp(question)
                        .outcome()
                        .orTimeout(60, TimeUnit.SECONDS)
                        .join()
                        .reason();
            }
        }
        return reason;
    }

    private List<String> types() {
        return stored(id).stream().map(SessionEvent::type).toList();
    }

    @Test
    void a_turn_of_many_steps_is_compacted_while_it_runs_and_keeps_its_task() {
        ScriptedModel model = ScriptedModel.answering(call -> call.step() < 20
                ? ScriptedAnswer.begin().toolCall("c" + call.step(), "read", "{}")
                : ScriptedAnswer.of("Done."));
        TurnEndReason reason = ask(compactions(new ExtractiveSummarizer()), model, 2_000, "Read it all.");
        assertThat(reason).isEqualTo(TurnEndReason.completed());
        assertThat(ends()).isNotEmpty().containsOnly("ok");
        assertThat(model.calls())
                .allSatisfy(
                        call -> assertThat(call.request().messages().stream().map(Message::text))
                                .contains("Read it all."));
        assertThat(stored(id).stream()
                        .filter(event -> event.type().equals(EventType.COMPACTION_START))
                        .map(event -> ((io.surfacelog.event.CompactionStart) event.payload()).turn()))
                .allSatisfy(turn -> assertThat(turn).hasValue(1));
    }

    @Test
    void a_request_that_was_refused_as_too_long_is_compacted_and_made_once_more() {
        conversation(10);
        ScriptedModel model = ScriptedModel.of(tooLong(), ScriptedAnswer.of("In Lyon."));
        assertThat(ask(compactions(new ExtractiveSummarizer()), model, 1_000_000, "And now?"))
                .isEqualTo(TurnEndReason.completed());
        assertThat(ends()).containsExactly("ok");
        assertThat(model.calls().get(1).request().messages().size())
                .isLessThan(model.calls().get(0).request().messages().size());
    }

    @Test
    void it_recovers_once_and_not_for_ever() {
        conversation(10);
        ScriptedModel model = ScriptedModel.answering(call -> tooLong());
        assertThat(ask(compactions(new ExtractiveSummarizer()), model, 1_000_000, "And now?")
                        .kind())
                .isEqualTo("error");
        assertThat(model.calls()).hasSize(2);
    }

    @Test
    void long_results_are_pruned_first_and_nothing_is_compacted_where_that_is_enough() {
        Tool read = Tool.of(ToolDefinition.of("read", "Reads."), call -> ToolOutput.text("word ".repeat(4_000)));
        ScriptedModel model = ScriptedModel.answering(call -> call.step() < 8
                ? ScriptedAnswer.begin().toolCall("c" + call.step(), "read", "{}")
                : ScriptedAnswer.of("Done."));
        CompactBeforeStep hook = new CompactBeforeStep(
                compactions(new ExtractiveSummarizer()),
                ToolResultPruner.of(stack.commands, stack.queries, PruneSettings.defaults()));
        AgentProfile profile =
                AgentProfile.of(model, "example", "helper-1").tools(read).contextWindow(24_000);
        try (Agents agents = Agents.of(
                        stack.commands, stack.queries, AgentHooks.none().beforeStep(hook), 4);
                Agent agent = agents.resume(id, profile)) {
            assertThat(agent.followUp("Read it all.")
                            .outcome()
                            .orTimeout(60, TimeUnit.SECONDS)
                            .join()
                            .reason())
                    .isEqualTo(TurnEndReason.completed());
        }
        assertThat(types()).contains(EventType.COMPACTION_PRUNE).doesNotContain(EventType.COMPACTION_START);
    }

    @Test
    void a_compaction_that_fails_ends_no_turn_and_is_tried_again_with_the_next() {
        conversation(10);
        ScriptedModel model = ScriptedModel.answering(call -> call.step() < 4
                ? ScriptedAnswer.begin().toolCall("c" + call.step(), "read", "{}")
                : ScriptedAnswer.of("Done."));
        Compactions failing = compactions(
                stack,
                request -> {
                    throw new IllegalStateException("no summary today");
                },
                CompactionSettings.defaults().window(ModelWindow.of(500)));
        assertThat(ask(failing, model, 500, "And now?", "And then?")).isEqualTo(TurnEndReason.completed());
        assertThat(ends()).containsExactly("summarizer-failed", "summarizer-failed");
        assertThat(types()).doesNotContain(EventType.COMPACTION_SUMMARY);
    }

    private CompactBeforeStep pruningFirst() {
        return new CompactBeforeStep(
                compactions(new ExtractiveSummarizer()),
                ToolResultPruner.of(
                        stack.commands, stack.queries, PruneSettings.defaults().keepNewest(1)));
    }

    @Test
    void long_results_are_shortened_first_and_what_that_leaves_is_not_compacted_if_it_fits() {
        ScriptedModel model = ScriptedModel.answering(call -> call.step() < 6
                ? ScriptedAnswer.begin().toolCall("c" + call.step(), "read", "{}")
                : ScriptedAnswer.of("Done."));

        TurnEndReason reason = ask(pruningFirst(), 4_000, model, 25_000, "Read it all.");

        assertThat(reason).isEqualTo(TurnEndReason.completed());
        assertThat(types()).contains(EventType.COMPACTION_PRUNE).doesNotContain(EventType.COMPACTION_START);
    }

    @Test
    void a_request_that_was_refused_as_too_long_is_pruned_and_compacted() {
        ScriptedModel model = ScriptedModel.answering(call -> call.step() < 4
                ? ScriptedAnswer.begin().toolCall("c" + call.step(), "read", "{}")
                : call.request().messages().stream()
                                        .mapToInt(message ->
                                                message.json().toText().length())
                                        .sum()
                                > 60_000
                        ? tooLong()
                        : ScriptedAnswer.of("Done."));

        TurnEndReason reason = ask(pruningFirst(), 4_000, model, 1_000_000, "Read it all.");

        assertThat(reason).isEqualTo(TurnEndReason.completed());
        assertThat(types()).contains(EventType.COMPACTION_PRUNE);
    }
}
