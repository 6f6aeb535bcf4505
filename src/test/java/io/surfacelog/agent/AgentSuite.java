package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.FaultyStore;
import io.surfacelog.command.StoreSuite;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.model.ModelPort;
import io.surfacelog.model.Tool;
import io.surfacelog.model.ToolDefinition;
import io.surfacelog.model.ToolOutput;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.StoredSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A suite of agents. After each test, no log has a finding, and every attempt's request is what can be rebuilt from its place
 * in the log.
 */
abstract class AgentSuite extends StoreSuite {

    static final RetryPolicy AT_ONCE = new RetryPolicy(2, Duration.ZERO, Duration.ZERO);

    final List<AgentNotification> told = new CopyOnWriteArrayList<>();
    final ObservedModels models = new ObservedModels();
    FaultyStore faulty;
    CommandStack stack;
    private final List<Agents> registries = new ArrayList<>();

    @BeforeEach
    void startStack() {
        faulty = new FaultyStore(store());
        stack = start(CommandStack.on(faulty));
    }

    @AfterEach
    void everyLogIsStructuredAndEveryRequestCanBeRebuilt() {
        registries.forEach(Agents::close);
        for (StoredSession session : store().list(SessionFilter.all()).sessions()) {
            assertThat(stack.queries.refresh(session.id()).findings())
                    .as(session.id().value())
                    .isEmpty();
            models.expectRebuilt(stack.queries, session.id());
        }
    }

    final Agents agents() {
        return agents(AgentHooks.none());
    }

    final Agents agents(AgentHooks hooks) {
        return agents(stack, hooks);
    }

    final Agents agents(CommandStack process, AgentHooks hooks) {
        List<AgentListener> all = new ArrayList<>(hooks.listeners());
        all.add(told::add);
        Agents made = Agents.of(
                process.commands,
                process.queries,
                new AgentHooks(hooks.beforeStep(), hooks.inputChecks(), hooks.context(), hooks.models(), all),
                4);
        registries.add(made);
        return made;
    }

    final AgentProfile profile(ModelPort model, Tool... tools) {
        return AgentProfile.of(models.observe(model), "example", "helper-1")
                .system("You answer for the parcel desk.")
                .tools(tools)
                .retries(AT_ONCE);
    }

    static SessionHeader header() {
        return SessionHeader.builder().cwd("/srv/desk").build();
    }

    static Tool tool(String name, Tool.Body body) {
        return Tool.of(ToolDefinition.of(name, "Does " + name + "."), body);
    }

    static Tool parallel(String name, Tool.Body body) {
        return Tool.of(ToolDefinition.of(name, "Does " + name + ".").inParallel(), body);
    }

    static Tool echo(String name) {
        return tool(name, call -> ToolOutput.text(name + " " + call.arguments().toText()));
    }

    final List<String> types(SessionId id) {
        return stored(id).stream().map(SessionEvent::type).toList();
    }

    final List<TurnEnd> ends(SessionId id) {
        return stored(id).stream()
                .filter(event -> event.type().equals(EventType.TURN_END))
                .map(event -> (TurnEnd) event.payload())
                .toList();
    }

    static TurnOutcome outcome(QueuedInput input) {
        return input.outcome().orTimeout(Bounded.SECONDS, TimeUnit.SECONDS).join();
    }

    static void until(Runnable assertion) {
        await().atMost(Duration.ofSeconds(Bounded.SECONDS))
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(assertion::run);
    }

    /** Waits as one does who does not listen to interrupts. */
    static void awaitDeaf(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
