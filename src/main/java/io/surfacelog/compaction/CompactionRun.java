package io.surfacelog.compaction;

import io.surfacelog.command.CompactionLease;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.LeaseLostException;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.CompactionEnd;
import io.surfacelog.event.CompactionStart;
import io.surfacelog.event.CompactionSummary;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonNull;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.Shadowed;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.UserMessage;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.surface.OpenCompaction;
import io.surfacelog.surface.StructureException;
import io.surfacelog.surface.StructureRule;
import io.surfacelog.surface.Surface;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One compaction, from its start to its end, under the lease. For one thread. */
final class CompactionRun {

    private static final int SPANS = 3;
    private static final int BEGINNINGS = 8;

    /** What admission says of a replace whose span others have changed. */
    private static final Set<AdmissionRule> CHANGED = Set.of(
            AdmissionRule.REPLACE_START_ABSENT,
            AdmissionRule.REPLACE_END_ABSENT,
            AdmissionRule.REPLACE_ORDER,
            AdmissionRule.SOURCES_MISSING_SHADOWED);

    private final CompactionRequest request;
    private final CompactionLease lease;
    private final SessionQueries queries;
    private final Prices prices;
    private final Rules rules;
    private final SummaryMaker maker;
    private final Function<Surface, Optional<SpanChoice.Chosen>> choice;
    private final String id = UUID.randomUUID().toString();
    private @Nullable Long turn;
    private long start;

    CompactionRun(
            CompactionRequest request,
            CompactionLease lease,
            SessionQueries queries,
            Prices prices,
            Rules rules,
            SummaryMaker maker,
            Function<Surface, Optional<SpanChoice.Chosen>> choice) {
        this.request = request;
        this.lease = lease;
        this.queries = queries;
        this.prices = prices;
        this.rules = rules;
        this.maker = maker;
        this.choice = choice;
    }

    /**
     * What holds for this compaction.
     *
     * @param maxTokens the largest summary
     * @param whenChanged what is done where the span is not what it was
     */
    record Rules(long maxTokens, CompactionSettings.WhenChanged whenChanged) {}

    /** Others have changed what was to be hidden. */
    private static final class SpanChanged extends Exception {

        private static final long serialVersionUID = 1L;

        SpanChanged(Throwable cause) {
            super(cause);
        }
    }

    CompactionOutcome compact(Surface surface) {
        turn = surface.hasOpenTurn() ? surface.lastTurn() : null;
        long before = prices.ofSurface(request.session(), surface);
        begin(surface);
        try {
            return replaced(surface, before);
        } catch (SummaryException e) {
            return failed(e.fault(), e);
        } catch (UnsafeBoundaryException e) {
            return failed(CompactionFault.SURFACE_CHANGED, e);
        } catch (LeaseLostException e) {
            // the bracket is not ours to close any more
            return new CompactionOutcome.Failed(id, CompactionFault.LEASE_LOST, String.valueOf(e.getMessage()));
        } catch (AdmissionException | StructureException e) {
            return failed(CompactionFault.NOT_WRITTEN, e);
        } catch (RuntimeException | Error e) {
            closeAfter(e);
            throw e;
        }
    }

    /** A bracket that is begun beside the lease is nobody's either; it can only have come since the surface was read. */
    private void begin(Surface first) {
        Surface surface = first;
        for (int attempt = 1; ; attempt++) {
            try {
                open(surface);
                return;
            } catch (StructureException e) {
                if (e.rule() != StructureRule.BRACKET_SECOND_COMPACTION || attempt == BEGINNINGS) {
                    throw e;
                }
                surface = queries.refresh(request.session());
            }
        }
    }

    /** Opens the bracket, durably, and closes the one of a compaction that died. */
    private void open(Surface surface) {
        List<EventDraft> drafts = new ArrayList<>();
        surface.openCompaction().ifPresent(dead -> drafts.add(abandoned(dead)));
        JsonObject data = CompactionStart.of(id, turn).json();
        drafts.add(EventDraft.of(new CompactionStart(request.commandId()
                .map(command -> data.with("sourceCommandId", JsonString.of(command)))
                .orElse(data))));
        start = lease.appendAll(drafts).seq();
    }

    private static EventDraft abandoned(OpenCompaction dead) {
        Json error = error(
                CompactionFault.ABANDONED,
                dead.inherited()
                        ? "it began in another session, whose log this one has inherited"
                        : "it had not ended when the next one began: nobody held the compaction lease");
        if (dead.id().isPresent()) {
            return EventDraft.of(CompactionEnd.of(dead.id().get(), null, error));
        }
        return EventDraft.untyped(
                OpaquePayload.of(
                        EventType.COMPACTION_END,
                        JsonObject.builder()
                                .put("turn", JsonNull.NULL)
                                .put("error", error)
                                .build()),
                null);
    }

    private CompactionOutcome replaced(Surface first, long before) {
        Surface surface = first;
        for (int span = 1; ; span++) {
            SpanChoice.Chosen chosen = choice.apply(surface)
                    .orElseThrow(() -> new SummaryException(
                            CompactionFault.SURFACE_CHANGED,
                            "what was to be hidden is gone, and nothing else is worth it"));
            SummaryRequest asked = new SummaryRequest(
                    request.session(),
                    surface,
                    chosen.span(),
                    chosen.tokens(),
                    rules.maxTokens(),
                    1,
                    request.cancelled(),
                    prices::ofText);
            Summary summary = maker.make(asked);
            try {
                return write(asked, summary, before);
            } catch (SpanChanged e) {
                if (rules.whenChanged() == CompactionSettings.WhenChanged.FAIL || span == SPANS) {
                    throw new SummaryException(
                            CompactionFault.SURFACE_CHANGED,
                            "others have replaced nodes of " + asked.hidden().get(0) + " and what follows meanwhile",
                            e);
                }
                surface = queries.refresh(request.session());
            }
        }
    }

    private CompactionOutcome write(SummaryRequest asked, Summary summary, long before) throws SpanChanged {
        EventSeqs hidden = asked.span().seqs(asked.surface());
        long[] seqs = hidden.toArray();
        CompactionSummary made = summary(asked, summary, hidden, seqs);
        UserMessage message = ReplacingMessage.of(asked, summary, id);
        SurfaceIntent replace = SurfaceIntent.replace(seqs[0], seqs[seqs.length - 1]);
        long end;
        try {
            end = lease.appendAll(next -> List.of(
                            EventDraft.of(made),
                            EventDraft.of(
                                    message,
                                    replace.citing(EventSeqs.of(start, next).and(hidden))),
                            EventDraft.of(CompactionEnd.of(id, turn, null))))
                    .seq();
        } catch (AdmissionException e) {
            if (CHANGED.contains(e.rule())) {
                throw new SpanChanged(e);
            }
            throw e;
        } catch (StructureException e) {
            if (e.rule() == StructureRule.PAIR_SPLIT_BY_REPLACE) {
                throw new SpanChanged(e);
            }
            throw e;
        }
        Surface surface = queries.surface(request.session());
        long after = prices.ofSurface(request.session(), surface);
        List<Orphan> orphans = BoundaryPolicy.of(surface, PinnedNodes.none()).orphans();
        return new CompactionOutcome.Compacted(id, end - 1, hidden, asked.hiddenTokens(), before, after, orphans);
    }

    private CompactionSummary summary(SummaryRequest asked, Summary summary, EventSeqs hidden, long[] seqs) {
        Shadowed shadowed = new Shadowed(seqs[0], seqs[seqs.length - 1], hidden, asked.hiddenTokens());
        JsonObject data = CompactionSummary.of(
                        id, ReplacingMessage.blocks(summary), shadowed, summary.provider(), summary.model())
                .json()
                .with("maxTokens", JsonNumber.of(asked.maxTokens()));
        return new CompactionSummary(
                summary.usage().map(usage -> data.with("usage", usage.json())).orElse(data));
    }

    private CompactionOutcome failed(CompactionFault fault, RuntimeException cause) {
        CompactionFault found = fault;
        try {
            end(fault, String.valueOf(cause.getMessage()));
        } catch (LeaseLostException e) {
            found = CompactionFault.LEASE_LOST;
        }
        return new CompactionOutcome.Failed(id, found, String.valueOf(cause.getMessage()));
    }

    /** Whatever has happened, the log is to say so if it can be written. */
    private void closeAfter(Throwable failure) {
        try {
            end(CompactionFault.NOT_WRITTEN, String.valueOf(failure.getMessage()));
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Nothing where the outcome of the last commit was not known and it turns out to be stored. */
    private void end(CompactionFault fault, String message) {
        boolean open = queries.refresh(request.session())
                .openCompaction()
                .flatMap(OpenCompaction::id)
                .filter(id::equals)
                .isPresent();
        if (!open) {
            return;
        }
        lease.appendAll(List.of(EventDraft.of(CompactionEnd.of(id, turn, error(fault, message)))));
    }

    private static Json error(CompactionFault fault, String message) {
        return JsonObject.builder()
                .put("code", fault.code())
                .put("message", message)
                .build();
    }
}
