package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.compaction.CompactionOutcome.Compacted;
import io.surfacelog.event.CompactionSummary;
import io.surfacelog.event.Message;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.Usage;
import io.surfacelog.model.ModelCall;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.provider.Provider;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelSummarizerTest extends CompactionSuite {

    private final ScriptedModel model = ScriptedModel.answering(call -> ScriptedAnswer.begin()
            .reasoning("What mattered?")
            .text("Parcels were found ", "in Lyon.")
            .usage(Usage.of(900, 11)));

    @Test
    void the_model_is_asked_with_the_conversation_as_it_was_and_the_instruction_last() {
        stack.commands.append(
                id, RequestHeader.of("example", "helper-1", "You answer for the parcel desk.", "initial"));
        conversation(10);
        List<Message> before = List.copyOf(stack.queries.messages(id));
        Compacted compacted =
                (Compacted) compactions(ModelSummarizer.of(model, "x", "y")).compactNow(id);

        ModelCall call = model.calls().get(0);
        List<Message> asked = call.request().messages();
        int hidden = (int) compacted.hidden().size();
        assertThat(asked.subList(0, asked.size() - 1)).isEqualTo(before.subList(0, hidden));
        assertThat(asked.get(asked.size() - 1).text())
                .contains("Write a summary")
                .doesNotContain("earlier summaries");
        RequestHeader header = call.request().header().orElseThrow();
        assertThat(header.system()).hasValue("You answer for the parcel desk.");
        assertThat(header.config().longValue("maxTokens")).isPresent();
        for (Provider provider : Provider.values()) {
            assertThat(provider.validate(
                            provider.render(call.request().header(), asked).body()))
                    .as("%s", provider)
                    .isEmpty();
        }

        CompactionSummary summary =
                (CompactionSummary) stored(id).get((int) compacted.seq() - 1).payload();
        assertThat(summary.provider()).isEqualTo("example");
        assertThat(summary.model()).isEqualTo("helper-1");
        assertThat(summary.usage()).hasValue(Usage.of(900, 11));
        assertThat(stack.queries.messages(id).get(0).text()).endsWith("Parcels were found in Lyon.");
    }

    @Test
    void an_earlier_summary_is_merged_without_its_sources() {
        Conversation conversation = conversation(10);
        Compactions compactions = compactions(ModelSummarizer.of(model, "example", "helper-1"));
        compactions.compactNow(id);
        conversation.turns(10);
        compactions.compactNow(id);
        List<Message> asked = model.calls().get(1).request().messages();
        assertThat(asked.get(0).text()).endsWith("Parcels were found in Lyon.");
        assertThat(asked.stream().map(Message::text)).doesNotContain("Where is parcel 1?");
        assertThat(asked.get(asked.size() - 1).text()).contains("earlier summaries");
    }

    @Test
    void what_stands_before_the_span_is_said_to_stay() {
        conversation(10);
        long[] nodes = stack.queries.surface(id).nodeSeqs();
        compactions(ModelSummarizer.of(model, "example", "helper-1")).compactRange(id, nodes[5], nodes[19]);
        List<Message> asked = model.calls().get(0).request().messages();
        assertThat(asked.get(asked.size() - 1).text()).contains("except for the first 5");
        assertThat(asked).hasSize(21);
    }

    @Test
    void a_model_that_calls_a_tool_instead_has_made_no_summary() {
        conversation(10);
        ScriptedModel calls =
                ScriptedModel.answering(call -> ScriptedAnswer.begin().toolCall("c1", "track_parcel", "{}"));
        CompactionOutcome.Failed failed = (CompactionOutcome.Failed)
                compactions(ModelSummarizer.of(calls, "example", "helper-1")).compactNow(id);
        assertThat(failed.fault()).isEqualTo(CompactionFault.SUMMARY_EMPTY);
        assertThat(calls.calls()).hasSize(2);
    }
}
