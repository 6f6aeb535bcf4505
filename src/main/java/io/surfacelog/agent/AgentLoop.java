package io.surfacelog.agent;

import io.surfacelog.command.DriverLease;
import io.surfacelog.projection.SessionQueries;

/**
 * What the turns of one agent have in common. Runs them one after the other, each on whatever thread it is called: what was
 * queued joins, then step by step the model is asked and its tools are run, until it asks for none.
 *
 * @param agent whose turns they are
 * @param driver its right to drive the session
 * @param queries where the session stands
 * @param hooks what acts on its steps
 * @param notifications where to tell what becomes of input
 * @param threads where models and tools run
 * @param own the threads that work for the agent
 * @param inbox what was given to it
 * @param recorder writes its turns
 * @param workspace what the model sees of the workspace
 */
record AgentLoop(
        Agent agent,
        DriverLease driver,
        SessionQueries queries,
        AgentHooks hooks,
        Notifications notifications,
        AgentThreads threads,
        OwnThreads own,
        Inbox inbox,
        TurnRecorder recorder,
        WorkspaceContext workspace) {

    /**
     * Runs one turn to its end, however that comes about.
     *
     * @throws RuntimeException if the log cannot be written: the agent is at its end
     */
    void runTurn(QueuedInput first, Cancellation cancellation) {
        new RunningTurn(this, cancellation).run(first);
    }
}
