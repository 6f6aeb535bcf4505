package io.surfacelog.compaction;

import io.surfacelog.agent.Agent;
import io.surfacelog.agent.BeforeStep;
import io.surfacelog.agent.UpcomingStep;
import io.surfacelog.command.LeaseLostException;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.SessionId;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts within the loop: before a request when the surface has come close to the model's context window, and once after
 * the model has refused it as too long. A compaction that fails does not end the turn: the log says why, the request is made
 * as it is, and the next turn tries again. With a pruner, long tool results are shortened first, and what that leaves is
 * compacted if it is still too much.
 *
 * <pre>{@code
 * AgentHooks hooks = AgentHooks.none().beforeStep(new CompactBeforeStep(compactions));
 * }</pre>
 *
 * <p>For any number of agents.
 */
public final class CompactBeforeStep implements BeforeStep {

    private static final Logger LOG = LoggerFactory.getLogger(CompactBeforeStep.class);

    /** Nodes that stay may divide what is to be hidden. */
    private static final int COMPACTIONS = 4;

    private final Compactions compactions;
    private final @Nullable ToolResultPruner pruner;

    /** The turn of each agent in which a compaction failed last. */
    private final Map<Agent, Long> failed = Collections.synchronizedMap(new WeakHashMap<>());

    /** Compacts only. */
    public CompactBeforeStep(Compactions compactions) {
        this.compactions = compactions;
        this.pruner = null;
    }

    /** Prunes first. */
    public CompactBeforeStep(Compactions compactions, ToolResultPruner pruner) {
        this.compactions = compactions;
        this.pruner = pruner;
    }

    @Override
    public void beforeStep(UpcomingStep step) {
        SessionId id = step.agent().id();
        CompactionRequest asked = step.cause() == UpcomingStep.Cause.CONTEXT_OVERFLOW
                ? CompactionRequest.afterOverflow(id)
                : CompactionRequest.ifNeeded(id);
        boolean failedInTurn = Long.valueOf(step.turn()).equals(failed.get(step.agent()));
        if (failedInTurn && step.cause() == UpcomingStep.Cause.REQUEST) {
            return;
        }
        boolean overflow = step.cause() == UpcomingStep.Cause.CONTEXT_OVERFLOW;
        if (pruner != null && (overflow || compactions.isNeeded(id))) {
            prune(id, pruner);
        }
        CompactionRequest request =
                asked.cancelledWhen(() -> step.isCancelled() || !step.driver().isHeld());
        for (int i = 0; i < COMPACTIONS; i++) {
            CompactionOutcome outcome;
            try {
                outcome = compactions.compact(request);
            } catch (CompactionRunningException e) {
                LOG.info("session {} goes on as it is: {}", id, e.getMessage());
                return;
            }
            if (outcome instanceof CompactionOutcome.Failed failure) {
                failed.put(step.agent(), step.turn());
                LOG.warn("session {} was not compacted: {} ({})", id, failure.message(), failure.fault());
            } else {
                failed.remove(step.agent());
            }
            if (!(outcome instanceof CompactionOutcome.Compacted)) {
                return;
            }
            // what comes after is a matter of pressure
            request = CompactionRequest.ifNeeded(id).cancelledWhen(request.cancelled());
        }
    }

    private static void prune(SessionId id, ToolResultPruner pruner) {
        try {
            pruner.prune(id);
        } catch (CompactionRunningException e) {
            LOG.info("session {} is not pruned: {}", id, e.getMessage());
        } catch (AdmissionException | LeaseLostException e) {
            LOG.warn("session {} was not pruned: {}", id, e.getMessage());
        }
    }
}
