package io.surfacelog.cli;

import io.surfacelog.agent.AgentHooks;
import io.surfacelog.agent.AgentProfile;
import io.surfacelog.agent.Agents;
import io.surfacelog.agent.RetryPolicy;
import io.surfacelog.command.CommandStack;
import io.surfacelog.compaction.CompactionSettings;
import io.surfacelog.compaction.Compactions;
import io.surfacelog.compaction.ExtractiveSummarizer;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.model.ModelPort;
import io.surfacelog.model.Tool;
import io.surfacelog.store.memory.MemoryEventStore;
import io.surfacelog.stream.SessionStream;
import io.surfacelog.stream.StreamSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.time.Duration;

/** An agent of this process behind real pipes, with a client at their other ends and a store in memory. */
final class AcpDesk implements AutoCloseable {

    final CommandStack stack = CommandStack.on(MemoryEventStore.create()).start();
    final SessionStream stream = SessionStream.of(stack.store, stack.dispatcher, StreamSettings.defaults());
    final Agents agents = Agents.of(stack.commands, stack.queries, AgentHooks.none(), 4);
    final Compactions compactions =
            Compactions.of(stack.commands, stack.queries, new ExtractiveSummarizer(), CompactionSettings.defaults());
    final AcpClient client;
    private final Thread serving;
    private final Pipe toClient;

    private AcpDesk(AgentProfile profile, boolean compacts) {
        try {
            Pipe toAgent = Pipe.open();
            toClient = Pipe.open();
            AcpOutput out = new AcpOutput(Channels.newOutputStream(toClient.sink()));
            AcpAgent agent = new AcpAgent(
                    agents, stack.queries, stream, profile, compacts ? new AcpCompaction(compactions) : null, out, "1");
            AcpInput in = new AcpInput(Channels.newInputStream(toAgent.source()), 1 << 20);
            serving = new Thread(() -> serve(new AcpConnection(in, out), agent), "acp-serving");
            serving.start();
            client =
                    new AcpClient(Channels.newOutputStream(toAgent.sink()), Channels.newInputStream(toClient.source()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve(AcpConnection connection, AcpAgent agent) {
        connection.serve(agent);
        try {
            toClient.sink().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static AcpDesk of(ModelPort model, Tool... tools) {
        return new AcpDesk(profile(model, tools), false);
    }

    /** One that offers to compact, with a client that has said hello. */
    static AcpDesk compacting(ModelPort model) throws InterruptedException {
        AcpDesk desk = new AcpDesk(profile(model), true);
        desk.client.initialize();
        return desk;
    }

    private static AgentProfile profile(ModelPort model, Tool... tools) {
        return AgentProfile.of(model, "example", "helper-1")
                .tools(tools)
                .retries(new RetryPolicy(1, Duration.ZERO, Duration.ZERO));
    }

    /** The same with a client that has said hello. */
    static AcpDesk initialized(ModelPort model, Tool... tools) throws InterruptedException {
        AcpDesk desk = of(model, tools);
        desk.client.initialize();
        return desk;
    }

    /** What the assistant messages of a turn say, by the log. */
    String logged(String session, long turn) {
        StringBuilder text = new StringBuilder();
        stack.queries.forEach(SessionId.of(session), event -> text.append(said(event, turn)));
        return text.toString();
    }

    private static String said(SessionEvent event, long turn) {
        return event.payload() instanceof AssistantMessage message
                        && message.turn().orElse(0) == turn
                ? message.message().text()
                : "";
    }

    /** Nobody reads any more what the agent says. */
    void stopReading() throws IOException {
        toClient.source().close();
    }

    void awaitServed() {
        try {
            serving.join(60_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (serving.isAlive()) {
            throw new AssertionError("the agent still serves a client that has gone");
        }
    }

    @Override
    public void close() throws IOException {
        client.hangUp();
        awaitServed();
        agents.close();
        stream.close();
        stack.close();
        stack.store.close();
    }
}
