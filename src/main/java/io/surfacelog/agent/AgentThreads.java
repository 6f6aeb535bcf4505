package io.surfacelog.agent;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The threads of all agents: an idle agent has none, a running one has one for its loop, one while its model streams, and
 * one for each tool that runs, of which there are at most so many in all.
 */
final class AgentThreads implements AutoCloseable {

    private final AtomicLong made = new AtomicLong();
    private final ExecutorService executor = Executors.newCachedThreadPool(run -> {
        Thread thread = new Thread(run, "surfacelog-agent-" + made.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    });
    private final Semaphore toolRuns;

    AgentThreads(int maxToolRuns) {
        this.toolRuns = new Semaphore(maxToolRuns, true);
    }

    ExecutorService executor() {
        return executor;
    }

    /** One permit for each tool that runs. */
    Semaphore toolRuns() {
        return toolRuns;
    }

    /** Interrupts what still runs: tools and models that did not end when they were told to. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
