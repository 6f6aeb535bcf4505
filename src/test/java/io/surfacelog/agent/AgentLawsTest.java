package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.ImportSession;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventType;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.model.ModelCall;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.projection.ModelRequest;
import io.surfacelog.provider.Provider;
import io.surfacelog.testing.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/**
 * Whatever models, tools, hooks and users do, in any order: the log is well formed, each request can be rebuilt from it, every
 * surface on the way is a request that each provider takes, and a process that dies at any event leaves a session that goes
 * on.
 */
class AgentLawsTest extends AgentSuite {

    private static final int RUNS = 40;
    private static final int RUNS_CUT = 6;

    @Test
    void every_run_leaves_a_sound_log() {
        Seeds.forEach(RUNS, seed -> {
            SessionId id = play(seed);
            List<SessionEvent> log = stored(id);
            assertThat(stack.queries.surface(id).hasOpenTurn()).isFalse();
            assertThat(stack.queries.surface(id).findings()).isEmpty();
            for (SessionEvent event : log) {
                if (EventType.isSurface(event.type())) {
                    expectAcceptable(stack.queries.requestAsOf(id, event.seq()), id, event.seq());
                }
            }
            models.expectRebuilt(stack.queries, id);
        });
    }

    @Test
    void a_process_that_dies_at_any_event_leaves_a_session_that_goes_on() {
        Seeds.forEach(RUNS_CUT, seed -> {
            List<SessionEvent> log = stored(play(seed));
            for (int kept = 1; kept <= log.size(); kept++) {
                goOnAfter(log.subList(0, kept), SessionId.of("cut-" + seed + "-" + kept));
            }
        });
    }

    private void goOnAfter(List<SessionEvent> prefix, SessionId id) {
        stack.commands.importLog(new ImportSession(
                SessionHeader.builder().id(id).build(),
                prefix.stream().map(EventCandidate::of).iterator(),
                EventTypes.standard()));
        models.beginAt(id, prefix.size());
        ScriptedModel model = ScriptedModel.answering(call -> ScriptedAnswer.of("Here I am."));
        try (Agents agents = agents()) {
            Agent agent = agents.resume(id, profile(model));
            TurnOutcome outcome = outcome(agent.followUp("Are you still there?"));
            assertThat(outcome.reason()).isEqualTo(TurnEndReason.completed());
        }
        for (ModelCall call : model.calls()) {
            expectAcceptable(call.request(), id, prefix.size());
        }
    }

    /** Plays the run of this seed to its end and returns its session. */
    private SessionId play(long seed) {
        RandomRun run = new RandomRun(stack, seed);
        AgentHooks hooks = AgentHooks.none()
                .beforeStep(run::beforeStep)
                .inputChecks((agent, message) ->
                        message.text().hashCode() % 7 == 0 ? Optional.of("not this") : Optional.empty());
        try (Agents agents = agents(hooks)) {
            AgentProfile profile = profile(run.model(Optional.of(agents)), run.tools())
                    .idleTimeout(Duration.ofMillis(25))
                    .maxSteps(5);
            Agent agent = agents.create(SessionHeader.builder().id(run.id).build(), profile);
            List<QueuedInput> asked = new ArrayList<>();
            for (int i = 0; i < run.questions(); i++) {
                asked.add(agent.followUp("question " + i));
                if (run.cancelsFromOutside(i)) {
                    agent.cancel();
                }
            }
            asked.forEach(input -> expectEnd(input, seed));
            waitUntilIdle(agent);
        }
        return run.id;
    }

    private static void expectEnd(QueuedInput input, long seed) {
        try {
            assertThat(outcome(input).reason().kind()).as("seed %s", seed).isNotEmpty();
        } catch (CancellationException | CompletionException e) {
            throw new AssertionError("the input of seed " + seed + " came to no end: " + e, e);
        }
    }

    private static void waitUntilIdle(Agent agent) {
        Bounded.until(() -> agent.status() == AgentStatus.IDLE);
        try {
            agent.awaitIdle();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void expectAcceptable(ModelRequest request, SessionId id, long seq) {
        for (Provider provider : Provider.values()) {
            assertThat(provider.validate(provider.render(request.header(), request.messages())
                            .body()))
                    .as("%s as of event %s of session %s", provider, seq, id)
                    .isEmpty();
        }
    }
}
