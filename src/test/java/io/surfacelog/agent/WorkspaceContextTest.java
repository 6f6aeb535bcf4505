package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.EventType;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.UserMessage;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the model is told of its workspace. */
class WorkspaceContextTest extends AgentSuite {

    @TempDir
    Path workspace;

    @Test
    void is_told_once_and_again_only_when_it_has_changed() throws IOException {
        Path file = workspace.resolve("AGENTS.md");
        Files.writeString(file, "Be brief.");
        Agent agent = agentIn(workspace, FileContext.instructions("AGENTS.md", "absent.md"));

        outcome(agent.followUp("one"));
        outcome(agent.followUp("two"));
        assertThat(context(agent)).hasSize(1).first().asString().contains("AGENTS.md", "Be brief.");

        Files.writeString(file, "Be kind.");
        outcome(agent.followUp("three"));
        assertThat(context(agent)).hasSize(2).last().asString().contains("Be kind.");

        Files.writeString(file, "Be brief.");
        outcome(agent.followUp("four"));
        assertThat(context(agent)).as("what it was before is news again").hasSize(3);
    }

    @Test
    void is_not_told_again_after_resume_but_after_it_was_hidden() throws IOException {
        Files.writeString(workspace.resolve("AGENTS.md"), "Be brief.");
        ContextProvider provider = FileContext.instructions("AGENTS.md");
        Agent agent = agentIn(workspace, provider);
        outcome(agent.followUp("one"));
        agent.close();

        Agent again = agents(AgentHooks.none().context(provider)).resume(agent.id(), agent.profile());
        outcome(again.followUp("two"));
        assertThat(context(again)).hasSize(1);

        long[] seqs = stack.queries.surface(again.id()).nodeSeqs();
        stack.commands.append(
                again.id(),
                UserMessage.of("All that was."),
                SurfaceIntent.replace(seqs[0], seqs[seqs.length - 1]).citing(seqs));
        outcome(again.followUp("three"));
        assertThat(context(again)).hasSize(2);
        assertThat(stack.queries.messages(again.id()))
                .extracting(Message::text)
                .anyMatch(text -> text.contains("Be brief."));
    }

    @Test
    void leaves_out_what_lies_elsewhere() throws IOException {
        Path inside = Files.createDirectory(workspace.resolve("inside"));
        Files.writeString(workspace.resolve("secret.txt"), "a secret");
        Files.createSymbolicLink(inside.resolve("link.txt"), workspace.resolve("secret.txt"));
        Agent agent = agentIn(
                inside,
                FileContext.of(
                        "../secret.txt",
                        "link.txt",
                        workspace.resolve("secret.txt").toString()));

        outcome(agent.followUp("one"));

        assertThat(context(agent)).isEmpty();
    }

    @Test
    void a_provider_that_throws_ends_the_turn_with_its_error() {
        Agent agent = agentIn(workspace, (live, queries) -> {
            throw new IllegalStateException("no such workspace");
        });

        TurnEndReason reason = outcome(agent.followUp("one")).reason();

        assertThat(reason.kind()).isEqualTo(TurnEndReason.ERROR);
        assertThat(reason.json().toText()).contains("no such workspace");
    }

    private Agent agentIn(Path directory, ContextProvider provider) {
        return agents(AgentHooks.none().context(provider))
                .create(
                        SessionHeader.builder().cwd(directory.toString()).build(),
                        profile(ScriptedModel.answering(call -> ScriptedAnswer.of("ok"))));
    }

    private List<String> context(Agent agent) {
        return stored(agent.id()).stream()
                .filter(event -> event.type().equals(EventType.CONTEXT_MESSAGE))
                .map(event -> event.toText())
                .toList();
    }
}
