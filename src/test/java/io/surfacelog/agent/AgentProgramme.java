package io.surfacelog.agent;

import io.surfacelog.command.CommandStack;
import io.surfacelog.crash.ChildJvm;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** A process whose agent answers one question after the other, as a seed has it, until it is killed. */
final class AgentProgramme {

    private AgentProgramme() {}

    /** Runs until it is killed: args are the database, the session, the seed. */
    public static void main(String[] args) {
        try (EventStore store = SqliteEventStore.open(
                        SqliteSettings.at(Path.of(args[0])).synchronous(SqliteSettings.Synchronous.NORMAL));
                CommandStack stack = CommandStack.on(store)
                        .listener(committed ->
                                System.out.println("event " + committed.event().seq()))
                        .start();
                Agents agents = Agents.of(stack.commands, stack.queries, AgentHooks.none(), 4)) {
            RandomRun run = new RandomRun(stack, Long.parseLong(args[2]));
            AgentProfile profile = AgentProfile.of(run.model(Optional.empty()), "example", "helper-1")
                    .tools(run.tools())
                    .retries(AgentSuite.AT_ONCE)
                    .idleTimeout(Duration.ofMillis(25));
            Agent agent = agents.resume(SessionId.of(args[1]), profile);
            ChildJvm.ready();
            for (int question = 0; ; question++) {
                agent.followUp("question " + question).outcome().join();
            }
        } catch (CompletionException e) {
            System.out.println("fault " + e);
        }
    }
}
