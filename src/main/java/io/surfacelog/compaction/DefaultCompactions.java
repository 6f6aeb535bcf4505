package io.surfacelog.compaction;

import io.surfacelog.command.CompactionLease;
import io.surfacelog.command.LeaseHeldException;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.surface.Surface;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks first whether there is anything to do, then takes the lease and looks again. */
final class DefaultCompactions implements Compactions {

    private static final Logger LOG = LoggerFactory.getLogger(DefaultCompactions.class);

    private final SessionCommands commands;
    private final SessionQueries queries;
    private final Prices prices;
    private final CompactionSettings settings;
    private final CompactionNeed need;
    private final SpanChoice choice;
    private final SummaryMaker maker;
    private final List<CompactionListener> listeners;

    DefaultCompactions(
            SessionCommands commands,
            SessionQueries queries,
            Prices prices,
            Summarizer summarizer,
            CompactionSettings settings,
            PinnedNodes pinned,
            List<CompactionListener> listeners) {
        this.commands = commands;
        this.queries = queries;
        this.prices = prices;
        this.settings = settings;
        this.need = new CompactionNeed(prices, settings);
        this.choice = new SpanChoice(prices, pinned);
        this.maker = new SummaryMaker(summarizer, prices, settings);
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public boolean isNeeded(SessionId session) {
        return need.of(session, queries.surface(session), CompactionRequest.Cause.PRESSURE)
                .isPressing();
    }

    @Override
    public CompactionOutcome compact(CompactionRequest request) {
        long began = System.nanoTime();
        CompactionOutcome outcome = outcome(request);
        if (!(outcome instanceof CompactionOutcome.NotNeeded)) {
            tell(request, outcome, Duration.ofNanos(System.nanoTime() - began));
        }
        return outcome;
    }

    private CompactionOutcome outcome(CompactionRequest request) {
        SessionId id = request.session();
        Optional<CompactionOutcome> early = nothingToDo(request, queries.surface(id));
        if (early.isPresent()) {
            return early.get();
        }
        try (CompactionLease lease = commands.leaseCompaction(id)) {
            // what another process has committed counts from here on: an open bracket is nobody's but a dead one's
            Surface surface = queries.refresh(id);
            early = nothingToDo(request, surface);
            return early.isPresent()
                    ? early.get()
                    : run(request, lease, surface).compact(surface);
        } catch (LeaseHeldException e) {
            throw new CompactionRunningException(e);
        }
    }

    private CompactionRun run(CompactionRequest request, CompactionLease lease, Surface begun) {
        long maxTokens = need.of(request.session(), begun, request.cause()).summary();
        return new CompactionRun(
                request,
                lease,
                queries,
                prices,
                new CompactionRun.Rules(maxTokens, settings.whenChanged()),
                maker,
                surface -> chosen(request, surface));
    }

    private Optional<CompactionOutcome> nothingToDo(CompactionRequest request, Surface surface) {
        CompactionNeed.Need found = need.of(request.session(), surface, request.cause());
        if (request.cause() == CompactionRequest.Cause.PRESSURE && !found.isPressing()) {
            return Optional.of(new CompactionOutcome.NotNeeded(found.tokens(), found.threshold()));
        }
        if (chosen(request, surface).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(new CompactionOutcome.NothingToCompact(
                found.tokens(),
                "what stands before the newest " + found.tail() + " tokens and may be hidden is not worth a summary",
                BoundaryPolicy.of(surface, PinnedNodes.none()).orphans()));
    }

    private Optional<SpanChoice.Chosen> chosen(CompactionRequest request, Surface surface) {
        if (request.range().isPresent()) {
            return Optional.of(
                    choice.asked(request.session(), surface, request.range().get()));
        }
        CompactionNeed.Need found = need.of(request.session(), surface, request.cause());
        return choice.choose(request.session(), surface, found.tail(), found.least());
    }

    private void tell(CompactionRequest request, CompactionOutcome outcome, Duration took) {
        for (CompactionListener listener : listeners) {
            try {
                listener.ended(request.session(), request.cause(), outcome, took);
            } catch (RuntimeException e) {
                LOG.warn("{} failed on the compaction of session {}", listener, request.session(), e);
            }
        }
    }

    @Override
    public void close() {
        maker.close();
    }
}
