package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.agent.AgentQueued.Change;
import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.DriveSession;
import io.surfacelog.command.LeaseHeldException;
import io.surfacelog.command.LeaseLostException;
import io.surfacelog.event.ContextMessage;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.model.ToolOutput;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.UnknownSessionException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** How agents begin and end, and what is told of them. */
class AgentLifecycleTest extends AgentSuite {

    @Test
    void five_notifications_are_all_there_are_and_none_mirrors_the_log() {
        assertThat(AgentNotification.class.getPermittedSubclasses())
                .extracting(Class::getSimpleName)
                .containsExactlyInAnyOrder(
                        "AgentCreated", "AgentDisposed", "AgentStatusChanged", "AgentError", "AgentQueued");
    }

    @Test
    void a_turn_is_told_by_its_status_and_its_input_alone() throws InterruptedException {
        Agents agents = agents();
        Agent agent = agents.create(header(), profile(ScriptedModel.answering(call -> ScriptedAnswer.of("ok"))));
        QueuedInput input = agent.followUp("Look.");
        outcome(input);
        agent.awaitIdle();
        agent.close();

        assertThat(told)
                .filteredOn(one -> !(one instanceof AgentStatusChanged))
                .containsExactly(
                        new AgentCreated(agent),
                        new AgentQueued(agent, Change.INSERTED, input),
                        new AgentQueued(agent, Change.CLAIMED, input),
                        new AgentDisposed(agent));
        assertThat(told)
                .filteredOn(AgentStatusChanged.class::isInstance)
                .containsExactly(
                        new AgentStatusChanged(agent, AgentStatus.RUNNING),
                        new AgentStatusChanged(agent, AgentStatus.IDLE));
    }

    @Test
    void a_live_agent_is_found_by_the_id_of_its_session_until_it_is_disposed() {
        Agents agents = agents();
        Agent agent = agents.create(header(), profile(ScriptedModel.of()));

        assertThat(agents.find(agent.id())).contains(agent);
        assertThat(agents.live()).containsExactly(agent);
        assertThatThrownBy(() -> agents.resume(agent.id(), agent.profile())).isInstanceOf(AgentLiveException.class);

        agent.close();
        assertThat(agents.find(agent.id())).isEmpty();
        assertThatThrownBy(() -> agent.followUp("Hello?")).isInstanceOf(AgentDisposedException.class);
        agents.resume(agent.id(), agent.profile());
    }

    @Test
    void a_listener_that_throws_on_creation_ends_the_agent_and_is_heard() {
        AtomicBoolean throwing = new AtomicBoolean(true);
        Agents agents = agents(AgentHooks.none().listeners(one -> {
            if (one instanceof AgentCreated && throwing.get()) {
                throw new IllegalStateException("not today");
            }
        }));

        assertThatThrownBy(() -> agents.create(header(), profile(ScriptedModel.of())))
                .hasMessage("not today");

        assertThat(told).hasSize(2);
        assertThat(told.get(0)).isInstanceOf(AgentCreated.class);
        assertThat(told.get(1)).isEqualTo(new AgentDisposed(told.get(0).agent()));
        assertThat(agents.live()).isEmpty();
        throwing.set(false);
        agents.resume(told.get(0).agent().id(), profile(ScriptedModel.of()));
    }

    @Test
    void a_listener_that_throws_otherwise_harms_nobody() {
        Agents agents = agents(AgentHooks.none().listeners(one -> {
            if (!(one instanceof AgentCreated)) {
                throw new IllegalStateException("never");
            }
        }));
        Agent agent = agents.create(header(), profile(ScriptedModel.answering(call -> ScriptedAnswer.of("ok"))));

        assertThat(outcome(agent.followUp("Look.")).reason()).isEqualTo(TurnEndReason.completed());
        agent.close();
        assertThat(told).last().isEqualTo(new AgentDisposed(agent));
    }

    @Test
    void disposal_cancels_the_turn_and_waits_until_its_end_is_committed() {
        ScriptedModel model = ScriptedModel.of(ScriptedAnswer.begin().text("hm").hang());
        Agent agent = agents().create(header(), profile(model));
        QueuedInput running = agent.followUp("one");
        QueuedInput waiting = agent.followUp("two");
        until(() -> assertThat(types(agent.id())).contains(EventType.ASSISTANT_CHUNK));

        agent.close();

        assertThat(ends(agent.id())).extracting(end -> end.reason()).containsExactly(TurnEndReason.aborted("disposed"));
        assertThat(outcome(running).reason()).isEqualTo(TurnEndReason.aborted("disposed"));
        assertThatThrownBy(() -> outcome(waiting)).isInstanceOf(RuntimeException.class);
        assertThat(told).last().isEqualTo(new AgentDisposed(agent));
        assertThat(told).contains(new AgentQueued(agent, Change.DISCARDED, waiting));
    }

    @Test
    void a_tool_can_dispose_of_its_own_agent() {
        Agents agents = agents();
        Agent agent = agents.create(
                header(),
                profile(ScriptedModel.of(ScriptedAnswer.begin().toolCall("a", "leave", "{}")), tool("leave", call -> {
                    agents.find(call.session()).orElseThrow().close();
                    return ToolOutput.text("bye");
                })));

        assertThat(outcome(agent.followUp("Leave.")).reason()).isEqualTo(TurnEndReason.aborted("disposed"));
        until(() -> assertThat(told).last().isEqualTo(new AgentDisposed(agent)));
    }

    @Test
    void closing_the_registry_disposes_of_all_and_it_makes_no_more() {
        Agents agents = agents();
        ScriptedModel model =
                ScriptedModel.answering(call -> ScriptedAnswer.begin().hang());
        List<Agent> all = List.of(
                agents.create(header(), profile(model)),
                agents.create(header(), profile(model)),
                agents.create(header(), profile(model)));
        all.forEach(agent -> agent.followUp("Look."));
        until(() -> assertThat(model.calls()).hasSize(3));

        agents.close();

        assertThat(told).filteredOn(AgentDisposed.class::isInstance).hasSize(3);
        all.forEach(agent -> assertThat(ends(agent.id())).hasSize(1));
        assertThatThrownBy(() -> agents.create(header(), profile(model))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_session_that_another_process_drives_is_not_resumed() {
        Agent agent = agents().create(header(), profile(ScriptedModel.of()));
        Agents others = agents(startAnotherProcess(), AgentHooks.none());

        assertThatThrownBy(() -> others.resume(agent.id(), agent.profile())).isInstanceOf(LeaseHeldException.class);
        assertThat(others.live()).isEmpty();

        agent.close();
        others.resume(agent.id(), agent.profile());
    }

    @Test
    void an_unknown_session_is_not_resumed() {
        Agents agents = agents();
        assertThatThrownBy(() -> agents.resume(SessionId.of("nobody"), profile(ScriptedModel.of())))
                .isInstanceOf(UnknownSessionException.class);
        assertThat(told).isEmpty();
    }

    @Test
    void an_agent_whose_session_is_taken_over_in_mid_turn_ends_and_writes_nothing_more() {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch taken = new CountDownLatch(1);
        Agent agent = agents().create(
                        header(),
                        profile(
                                ScriptedModel.of(ScriptedAnswer.begin().toolCall("a", "slow", "{}")),
                                tool("slow", call -> {
                                    running.countDown();
                                    Bounded.await(taken);
                                    return ToolOutput.text("done");
                                })));
        QueuedInput question = agent.followUp("Look.");
        Bounded.await(running);

        CommandStack other = startAnotherProcess();
        try (var driver = other.commands.drive(DriveSession.forced(agent.id()))) {
            List<String> afterTakeover = types(agent.id());
            taken.countDown();

            assertThatThrownBy(() -> outcome(question))
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(LeaseLostException.class);
            until(() -> assertThat(told).last().isEqualTo(new AgentDisposed(agent)));
            assertThat(types(agent.id())).isEqualTo(afterTakeover);
            assertThat(told)
                    .anyMatch(one -> one instanceof AgentError error && error.failure() instanceof LeaseLostException);
            assertThat(driver.isHeld()).isTrue();
        }
    }

    @Test
    void where_the_log_cannot_be_written_no_model_is_asked_and_the_agent_ends() {
        ScriptedModel model = ScriptedModel.answering(call -> ScriptedAnswer.of("ok"));
        Agent agent = agents().create(header(), profile(model));
        outcome(agent.followUp("one"));
        faulty.beforeCommit(writes -> {
            throw new StoreUnavailableException(StoreUnavailableException.Reason.DISK_FULL, "the disk is full");
        });

        QueuedInput second = agent.followUp("two");

        assertThatThrownBy(() -> outcome(second)).hasCauseInstanceOf(StoreUnavailableException.class);
        until(() -> assertThat(told).last().isEqualTo(new AgentDisposed(agent)));
        faulty.beforeCommit(writes -> {});
        assertThat(model.calls()).hasSize(1);
        assertThat(ends(agent.id())).hasSize(1);
    }

    @Test
    void where_a_remark_cannot_be_written_nobody_waits_for_ever() {
        Agent agent = agents().create(header(), profile(ScriptedModel.answering(call -> ScriptedAnswer.of("ok"))));
        faulty.beforeCommit(writes -> {
            if (writes.stream()
                    .flatMap(write -> write.events().stream())
                    .anyMatch(event -> event.type().equals(EventType.CONTEXT_MESSAGE))) {
                throw new StoreUnavailableException(StoreUnavailableException.Reason.DISK_FULL, "the disk is full");
            }
        });
        List<QueuedInput> all = List.of(
                agent.inject(ContextMessage.of("one")), agent.inject(ContextMessage.of("two")), agent.steer("three"));

        all.forEach(input -> assertThatThrownBy(() -> outcome(input)).isInstanceOf(RuntimeException.class));
        until(() -> assertThat(told).last().isEqualTo(new AgentDisposed(agent)));
        faulty.beforeCommit(writes -> {});
        agents().resume(agent.id(), profile(ScriptedModel.of())).close();
    }

    @Test
    void where_the_call_of_a_tool_cannot_be_written_the_tool_does_not_run() {
        AtomicBoolean ran = new AtomicBoolean();
        Agent agent = agents().create(
                        header(),
                        profile(
                                ScriptedModel.of(ScriptedAnswer.begin().toolCall("a", "pay", "{}")),
                                tool("pay", call -> {
                                    ran.set(true);
                                    return ToolOutput.text("paid");
                                })));
        faulty.beforeCommit(writes -> {
            if (writes.stream()
                    .flatMap(write -> write.events().stream())
                    .anyMatch(event -> event.type().equals(EventType.TOOL_CALL))) {
                throw new StoreUnavailableException(StoreUnavailableException.Reason.DISK_FULL, "the disk is full");
            }
        });

        QueuedInput question = agent.followUp("Pay.");

        assertThatThrownBy(() -> outcome(question)).isInstanceOf(RuntimeException.class);
        assertThat(ran).isFalse();
        faulty.beforeCommit(writes -> {});
        until(() -> assertThat(told).last().isEqualTo(new AgentDisposed(agent)));
        agents().resume(agent.id(), profile(ScriptedModel.of())).close();
        assertThat(stack.queries.surface(agent.id()).hasOpenTurn()).isFalse();
    }
}
