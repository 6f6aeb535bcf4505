package io.surfacelog.cli;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands what a client says to the agent, from its first line until it says no more or listens no more. */
final class AcpConnection {

    private static final Logger LOG = LoggerFactory.getLogger(AcpConnection.class);

    private final AcpInput in;
    private final AcpOutput out;
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    AcpConnection(AcpInput in, AcpOutput out) {
        this.in = in;
        this.out = out;
    }

    /** Serves the client; returns when it has gone, and the agents are disposed of. */
    void serve(AcpAgent agent) {
        // whoever waits for input cannot be told that nobody reads the output
        Thread reader = new Thread(() -> read(agent), "acp-input");
        reader.setDaemon(true);
        reader.start();
        try (agent) {
            CompletableFuture.anyOf(over, out.gone()).join();
        }
    }

    private void read(AcpAgent agent) {
        try {
            while (next(agent)) {
                // one line after the other, until there are none
            }
        } catch (IOException e) {
            LOG.warn("standard input cannot be read: {}", e.toString());
        } catch (Throwable e) {
            LOG.error("the connection ends", e);
        } finally {
            over.complete(null);
        }
    }

    private boolean next(AcpAgent agent) throws IOException {
        byte[] line;
        try {
            line = in.next();
        } catch (AcpInput.LineTooLongException e) {
            agent.refuse(e);
            return true;
        }
        if (line != null) {
            agent.accept(line);
        }
        return line != null;
    }
}
