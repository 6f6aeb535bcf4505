package io.surfacelog.compaction;

import io.surfacelog.command.CompactionLease;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.LeaseHeldException;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.CompactionPrune;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.Shadowed;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.surface.Surface;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shortens tool results that are too long: of their text head and tail are kept, and a marker in between says how to read the
 * rest with {@linkplain RecallTool recall}. Each becomes a {@code tool/result} that replaces the whole one, with a {@code
 * compaction/prune} before it; the whole one stays in the log. Inject it.
 *
 * <pre>{@code
 * PrunePlan plan = pruner.plan(queries.surface(id)); // what it would do, and what that would cost
 * PrunePlan done = pruner.prune(id);
 * }</pre>
 *
 * <p>All in one commit or nothing. A second pass changes nothing, since what was shortened is short. Results that the model has
 * not answered yet, the newest ones and those of protected tools are left alone, and nothing is done that reclaims less than it
 * is worth: shortening a result makes the provider read everything behind it anew. Works within a turn and outside of one, and
 * not while a compaction runs. Safe for use by several threads. Cost: O(surface).
 */
public final class ToolResultPruner {

    private static final Logger LOG = LoggerFactory.getLogger(ToolResultPruner.class);

    private static final int ATTEMPTS = 8;

    /** What admission says of a rewrite whose node others have replaced. */
    private static final Set<AdmissionRule> CHANGED = Set.of(
            AdmissionRule.REPLACE_START_ABSENT,
            AdmissionRule.REPLACE_END_ABSENT,
            AdmissionRule.SOURCES_MISSING_SHADOWED);

    private final SessionCommands commands;
    private final SessionQueries queries;
    private final PruneChoice choice;
    private final List<CompactionListener> listeners;

    private ToolResultPruner(
            SessionCommands commands, SessionQueries queries, PruneChoice choice, List<CompactionListener> listeners) {
        this.listeners = List.copyOf(listeners);
        this.commands = commands;
        this.queries = queries;
        this.choice = choice;
    }

    /** A pruner with the heuristic estimate of tokens. */
    public static ToolResultPruner of(SessionCommands commands, SessionQueries queries, PruneSettings settings) {
        return of(commands, queries, new TokenMeter(queries, TokenEstimator.heuristic()), settings);
    }

    /**
     * A pruner of the sessions of these commands.
     *
     * @param queries those of the same store and projection
     * @param meter what prices results
     */
    public static ToolResultPruner of(
            SessionCommands commands, SessionQueries queries, TokenMeter meter, PruneSettings settings) {
        return of(commands, queries, meter, settings, List.of());
    }

    /** The same, of which somebody is told. */
    public static ToolResultPruner of(
            SessionCommands commands,
            SessionQueries queries,
            TokenMeter meter,
            PruneSettings settings,
            List<CompactionListener> listeners) {
        return new ToolResultPruner(commands, queries, new PruneChoice(Prices.of(meter), settings), listeners);
    }

    /** What pruning would do to a surface. Pure. */
    public PrunePlan plan(Surface surface) {
        return choice.of(surface);
    }

    /**
     * Shortens what is worth it. What others replace meanwhile is never overwritten: the plan is made again, eight times at
     * most, after which nothing is done and the plan says {@link PrunePlan.Reason#OVERTAKEN}.
     *
     * @return what was done; {@linkplain PrunePlan#isEmpty() empty} if nothing was
     * @throws CompactionRunningException if a compaction runs
     * @throws io.surfacelog.store.UnknownSessionException if there is no such session
     */
    public PrunePlan prune(SessionId session) {
        PrunePlan plan = plan(queries.surface(session));
        if (plan.isEmpty()) {
            return plan;
        }
        try (CompactionLease lease = commands.leaseCompaction(session)) {
            for (int attempt = 1; ; attempt++) {
                Surface surface = queries.refresh(session);
                PrunePlan now = plan(surface);
                if (now.isEmpty()) {
                    return now;
                }
                try {
                    lease.appendAll(next -> drafts(now, next));
                    tell(session, now);
                    return now;
                } catch (AdmissionException e) {
                    if (!CHANGED.contains(e.rule())) {
                        throw e;
                    }
                    if (attempt == ATTEMPTS) {
                        return PruneChoice.overtaken(surface, now);
                    }
                }
            }
        } catch (LeaseHeldException e) {
            throw new CompactionRunningException(e);
        }
    }

    private void tell(SessionId session, PrunePlan done) {
        for (CompactionListener listener : listeners) {
            try {
                listener.pruned(session, done);
            } catch (RuntimeException e) {
                LOG.warn("{} failed on the pruning of session {}", listener, session, e);
            }
        }
    }

    private static List<EventDraft> drafts(PrunePlan plan, long next) {
        List<EventDraft> drafts = new ArrayList<>();
        for (PrunePlan.Pruned pruned : plan.pruned()) {
            long seq = pruned.seq();
            long prune = next + drafts.size();
            drafts.add(EventDraft.of(CompactionPrune.of(new Shadowed(seq, seq, EventSeqs.of(seq), pruned.before()))));
            SurfaceIntent replace = SurfaceIntent.replace(seq, seq);
            drafts.add(EventDraft.of(
                    pruned.result(),
                    pruned.whole() == seq ? replace.citing(seq, prune) : replace.citing(pruned.whole(), seq, prune)));
        }
        return drafts;
    }
}
