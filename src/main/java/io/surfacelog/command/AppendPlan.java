package io.surfacelog.command;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceChange;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Plans one append, again whenever the tail has moved. Numbers that named events which were not durable when the append
 * was first planned may mean other events then, so such an append is not planned again. Guarded by the lane's monitor.
 */
final class AppendPlan implements WritePlan {

    private final AppendEvents append;
    private final CommandSettings settings;
    private final Clock clock;
    private final long committed;
    private @Nullable List<EventDraft> first;
    private @Nullable BatchPlaces places;

    /** A plan to be made for the first time with so many events durable. */
    AppendPlan(AppendEvents append, CommandSettings settings, Clock clock, long committed) {
        this.append = append;
        this.settings = settings;
        this.clock = clock;
        this.committed = committed;
    }

    @Override
    public SurfaceChange on(Surface base) {
        discard();
        long nextSeq = base.nextSeq();
        if (append.expectedNextSeq().isPresent() && append.expectedNextSeq().getAsLong() != nextSeq) {
            throw new StaleSeqException(
                    append.session(), append.expectedNextSeq().getAsLong(), nextSeq);
        }
        List<EventDraft> drafts = append.batch().apply(nextSeq);
        if (drafts.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected at least one event to append to session \"" + append.session() + "\", found none");
        }
        if (first == null) {
            first = drafts;
        } else {
            checkNumbers(drafts, nextSeq);
        }
        // findings are kept even where nobody asks for them: the live surface is what a fold from the store gives
        StructureMode mode = settings.structure() == StructureMode.OFF ? StructureMode.REPORT : settings.structure();
        SurfacePlanner planner = base.planner(new SurfaceRules(settings.types(), mode));
        long now = clock.millis();
        BatchPlaces planned = new BatchPlaces(append.session());
        for (EventDraft draft : drafts) {
            admit(planner, () -> EventCandidate.of(planned.next(draft, planner.nextSeq(), now)), settings.limits());
        }
        planned.name();
        places = planned;
        return planner.change();
    }

    /** Whoever needs a handle of these events is refused from now on. */
    @Override
    public void discard() {
        if (places != null) {
            places.forget();
            places = null;
        }
    }

    private void checkNumbers(List<EventDraft> drafts, long nextSeq) {
        // a batch that is made anew knows its own new numbers; one that is not may name its own old ones
        long own = drafts == first ? Long.MAX_VALUE : nextSeq;
        for (EventDraft draft : drafts) {
            if (draft.namesEventBetween(committed, own)) {
                throw new AppendConflictException(
                        append.session(),
                        "it names an event by a seq that was not durable when it was planned, and another writer has"
                                + " moved the log since; read on and append again");
            }
        }
    }

    /** Admits one event as {@link #admit} does, without keeping it in the plan. */
    static SessionEvent admitted(SurfacePlanner planner, EventCandidate candidate, EventLimits limits) {
        try {
            limits.check(candidate);
            return planner.fold(candidate);
        } catch (AdmissionException e) {
            throw e.at().isPresent() ? e : e.at(planner.nextSeq());
        }
    }

    /** Admits one event at every door; a refusal says where it would have stood. */
    static void admit(SurfacePlanner planner, Supplier<EventCandidate> made, EventLimits limits) {
        try {
            EventCandidate candidate = made.get();
            limits.check(candidate);
            planner.add(candidate);
        } catch (AdmissionException e) {
            throw e.at().isPresent() ? e : e.at(planner.nextSeq());
        }
    }
}
