package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.Appended;
import io.surfacelog.command.Bounded;
import io.surfacelog.event.ContextMessage;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.UserMessage;
import io.surfacelog.model.ModelException;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.model.Tool;
import io.surfacelog.model.ToolOutput;
import io.surfacelog.surface.Surface;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever is done to an agent, at whichever moment of a turn with a retry, with tools side by side and alone, and with two
 * steps: the log is well formed and has no open turn, each input comes to an end, and the agent goes on.
 */
class EveryMomentTest extends AgentSuite {

    /** What is done at the moment. */
    private enum Act {
        CANCEL,
        STEER,
        STEER_AND_CANCEL,
        CANCEL_AND_STEER,
        INJECT_AND_CANCEL,
        FOLLOW_UP_AND_CANCEL_TWICE,
        SAY_FROM_ELSEWHERE_AND_CANCEL,
        CLOSE
    }

    /** Moments are counted: before and after each commit, at each notification, and in models, tools and hooks. */
    private final class Run {

        private final Act act;
        private final int moment;
        private int moments;
        private final List<QueuedInput> inputs = new CopyOnWriteArrayList<>();
        private final SessionId id;
        private final CountDownLatch happened = new CountDownLatch(1);
        private @Nullable Agent agent;

        Run(Act act, int moment) {
            this.act = act;
            this.moment = moment;
            id = SessionId.of(act.name().toLowerCase(Locale.ROOT) + "-" + moment);
        }

        private void pass() {
            Agent running = moment();
            if (running != null) {
                happen(running);
                happened.countDown();
            }
        }

        /** The agent that it happens to if this is the moment, null otherwise. */
        private synchronized @Nullable Agent moment() {
            return agent != null && moments++ == moment ? agent : null;
        }

        private synchronized void watch(Agent watched) {
            agent = watched;
        }

        /** Returns whether the moment has come; it does not any more. */
        private synchronized boolean unwatch() {
            agent = null;
            return moments > moment;
        }

        private void happen(Agent running) {
            switch (act) {
                case CANCEL -> running.cancel();
                case STEER -> steer(running);
                case STEER_AND_CANCEL -> {
                    steer(running);
                    running.cancel();
                }
                case CANCEL_AND_STEER -> {
                    running.cancel();
                    steer(running);
                }
                case INJECT_AND_CANCEL -> {
                    inputs.add(running.inject(ContextMessage.of("It is noon.")));
                    running.cancel(TurnEndReason.aborted("parent"));
                }
                case FOLLOW_UP_AND_CANCEL_TWICE -> {
                    inputs.add(running.followUp("One more."));
                    running.cancel();
                    running.cancel(TurnEndReason.aborted("parent"));
                }
                case SAY_FROM_ELSEWHERE_AND_CANCEL -> {
                    CompletableFuture<Appended> unused =
                            stack.commands.appendAsync(id, UserMessage.of("from elsewhere"), SurfaceIntent.append());
                    running.cancel();
                }
                case CLOSE -> new Thread(running::close, "closing").start();
            }
        }

        private void steer(Agent running) {
            inputs.add(running.steer("Only this year's."));
        }

        private ScriptedModel model() {
            return ScriptedModel.answering(call -> {
                pass();
                if (call.turn() > 1) {
                    return ScriptedAnswer.of("That is all.");
                }
                if (call.step() > 1) {
                    return ScriptedAnswer.of("In Lyon.");
                }
                if (call.attempt() == 1) {
                    return ScriptedAnswer.begin()
                            .text("Let me")
                            .fail(ModelException.of(ModelException.Kind.TRANSIENT, "RESET", "the line broke"));
                }
                return ScriptedAnswer.begin()
                        .reasoning("Hm.")
                        .text("Let me ", "see.")
                        .toolCall("a", "one", "{}")
                        .toolCall("b", "one", "{}")
                        .toolCall("c", "nobody", "{}")
                        .toolCall("d", "two", "{}");
            });
        }

        private Tool[] tools() {
            return new Tool[] {
                parallel("one", call -> {
                    pass();
                    return ToolOutput.text("one");
                }),
                tool("two", call -> {
                    pass();
                    return ToolOutput.text("two");
                })
            };
        }

        /** Returns whether the moment came. */
        boolean play() {
            AgentHooks hooks = AgentHooks.none().beforeStep(step -> pass()).listeners(told -> pass());
            faulty.beforeCommit(writes -> pass());
            faulty.afterCommit(outcomes -> {
                pass();
                return outcomes;
            });
            boolean came;
            try (Agents agents = agents(hooks)) {
                AgentProfile profile = profile(model(), tools())
                        .retries(new RetryPolicy(2, Duration.ofMillis(1), Duration.ofMillis(1)));
                Agent made = agents.create(SessionHeader.builder().id(id).build(), profile);
                watch(made);
                askWhere(made);
                awaitIdle(made);
                came = unwatch();
                if (came) {
                    Bounded.await(happened);
                }
                faulty.heal();
                Agent next = made;
                if (act == Act.CLOSE && came) {
                    made.close();
                    next = agents.resume(id, profile);
                }
                QueuedInput last = next.followUp("And now?");
                assertThat(outcome(last).reason()).isEqualTo(TurnEndReason.completed());
                inputs.forEach(this::expectEnd);
                awaitIdle(next);
            }
            Surface surface = stack.queries.refresh(id);
            assertThat(surface.findings()).as("%s", id).isEmpty();
            assertThat(surface.hasOpenTurn()).isFalse();
            models.expectRebuilt(stack.queries, id);
            return came;
        }

        /** The first moment is while this input is put into the inbox: an agent that has ended by then takes none. */
        private void askWhere(Agent asked) {
            try {
                inputs.add(asked.followUp("Where is my parcel?"));
            } catch (AgentDisposedException e) {
                assertThat(act).as("%s", e).isEqualTo(Act.CLOSE);
            }
        }

        private void expectEnd(QueuedInput input) {
            try {
                assertThat(outcome(input).reason().kind()).isNotEmpty();
            } catch (CancellationException | CompletionException e) {
                assertThat(act).as("%s of %s came to no end: %s", input, id, e).isEqualTo(Act.CLOSE);
            }
        }
    }

    private static void awaitIdle(Agent agent) {
        try {
            agent.awaitIdle();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Tag("slow")
    void of_a_turn_can_be_the_one_at_which_something_happens() {
        for (Act act : Act.values()) {
            int moment = 0;
            while (new Run(act, moment).play()) {
                moment++;
            }
            assertThat(moment).as("moments of %s", act).isGreaterThan(30);
        }
    }
}
