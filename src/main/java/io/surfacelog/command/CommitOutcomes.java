package io.surfacelog.command;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.KeyedAppend;
import io.surfacelog.store.LeaseToken;
import io.surfacelog.store.StoredLease;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.store.WriteOutcome;
import io.surfacelog.surface.Surface;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the outcome of a commit through: applies and publishes what is durable, plans again what met another tail, and
 * fails the rest, together with what was staged on it. Runs on the leading thread only; the answers to callers are
 * collected and given when the lead is passed on.
 */
final class CommitOutcomes {

    private static final Logger LOG = LoggerFactory.getLogger(CommitOutcomes.class);
    private static final int MAX_CONFLICTS = 16;

    private final EventStore store;
    private final SurfaceProjection projection;
    private final CommitPublication publication;
    private final QueueRoom room;
    private final HeldLeases leases;
    private final Consumer<SessionLane> onSettled;

    /** The consumer is told, under the lane's monitor, when a write of the lane is settled. */
    CommitOutcomes(
            EventStore store,
            SurfaceProjection projection,
            CommitPublication publication,
            QueueRoom room,
            HeldLeases leases,
            Consumer<SessionLane> onSettled) {
        this.store = store;
        this.projection = projection;
        this.publication = publication;
        this.room = room;
        this.leases = leases;
        this.onSettled = onSettled;
    }

    void committed(List<StagedRun> runs, List<WriteOutcome> results, WriteQueue queue, Answers answers) {
        if (results.size() != runs.size()) {
            throw new IllegalStateException(
                    "expected an outcome for each of " + runs.size() + " writes, found " + results.size());
        }
        for (int i = 0; i < runs.size(); i++) {
            StagedRun run = runs.get(i);
            WriteOutcome outcome = results.get(i);
            if (outcome instanceof WriteOutcome.Committed committed) {
                carryThrough(run, answers);
                publication.publish(run, committed.position());
            } else if (outcome instanceof WriteOutcome.TailMoved) {
                planAgain(run.lane(), stillFast(run, answers), queue, answers);
            } else {
                // what is staged behind the run was planned on it
                planAgain(run.lane(), disturbed(run, outcome, answers), queue, answers);
            }
        }
    }

    /** Settles what was not committed, but for what is to be planned again: that is returned. */
    private List<PendingWrite> disturbed(StagedRun run, WriteOutcome outcome, Answers answers) {
        SessionId id = run.lane().id;
        if (outcome instanceof WriteOutcome.KeyUsed used) {
            return notRepeated(run, used, answers);
        }
        if (outcome instanceof WriteOutcome.IdTaken) {
            fail(run, new SessionExistsException(id), answers);
        } else if (outcome instanceof WriteOutcome.Damaged damaged) {
            fail(run, new DamagedStoreException(damaged.fault()), answers);
        } else if (outcome instanceof WriteOutcome.LeaseLost lost) {
            LeaseToken token = run.leaseToken().orElseThrow();
            leases.lost(id, token);
            fail(run, new LeaseLostException(id, token, lost.current()), answers);
        } else {
            projection.forget(id);
            fail(run, new UnknownSessionException(id), answers);
        }
        return List.of();
    }

    /** Answers the writes whose keys were used before, all at once: the rest is planned again without them. */
    private List<PendingWrite> notRepeated(StagedRun run, WriteOutcome.KeyUsed used, Answers answers) {
        List<PendingWrite> rest = new ArrayList<>();
        for (PendingWrite write : run.writes()) {
            try {
                Optional<KeyedAppend> first = write.key()
                        .flatMap(key ->
                                key.equals(used.key()) ? Optional.of(used.first()) : store.keyed(run.lane().id, key));
                if (first.isPresent()) {
                    repeated(write, first.get(), answers);
                } else {
                    rest.add(write);
                }
            } catch (Throwable e) {
                fail(write, e, answers);
            }
        }
        return rest;
    }

    /** The writes of a run that met another tail, but for those that did so too often; only what was tried counts. */
    private List<PendingWrite> stillFast(StagedRun run, Answers answers) {
        List<PendingWrite> again = new ArrayList<>();
        for (PendingWrite write : run.writes()) {
            if (write.conflict() < MAX_CONFLICTS) {
                again.add(write);
            } else {
                fail(write, tooFast(run.lane().id), answers);
            }
        }
        return again;
    }

    /**
     * The transaction failed, or its answer was lost: what the store holds decides. What is stored is carried through;
     * what is not fails, and so does what was staged on it.
     */
    void failed(List<StagedRun> all, Throwable cause, WriteQueue queue, Answers answers) {
        List<StagedRun> runs = all.stream()
                .filter(run -> run.writes().stream().allMatch(this::isStaged))
                .toList();
        CommitFate fates = new CommitFate(store, cause);
        for (StagedRun run : runs) {
            SessionLane lane = run.lane();
            switch (fates.of(run)) {
                case STORED -> {
                    carryThrough(run, answers);
                    publication.owes();
                }
                case NOT_STORED -> fail(run, cause, "failed; try it again", cause, queue, answers);
                case UNKNOWN -> {
                    // the next write opens the session from what the store holds then
                    projection.forget(lane.id);
                    publication.owes();
                    OutcomeUnknownException unknown =
                            new OutcomeUnknownException(lane.id, run.firstSeq(), run.nextSeq(), cause);
                    fail(run, unknown, "has an unknown outcome; read on and try it again", cause, queue, answers);
                }
            }
        }
        publication.tellOfTheRest();
    }

    private boolean isStaged(PendingWrite write) {
        synchronized (write.lane()) {
            return write.lane().holds(write);
        }
    }

    private void fail(
            StagedRun run, Throwable failure, String why, Throwable cause, WriteQueue queue, Answers answers) {
        SessionLane lane = run.lane();
        synchronized (lane) {
            fail(run, failure, answers);
            for (PendingWrite staged : queue.takeBack(lane)) {
                fail(
                        staged,
                        new AppendConflictException(lane.id, "the append it was planned on " + why, cause),
                        answers);
            }
        }
    }

    /** It is durable, so its callers are told so, whatever else happens here. */
    private void carryThrough(StagedRun run, Answers answers) {
        SessionLane lane = run.lane();
        run.writes().forEach(write -> answers.succeed(write, write.result()));
        synchronized (lane) {
            for (PendingWrite write : run.writes()) {
                try {
                    apply(write);
                } catch (Throwable e) {
                    LOG.error("session {} could not be brought up to date and will be opened again", lane.id, e);
                    projection.forget(lane.id);
                }
                lane.committed = write.change().after().nextSeq();
                unstage(write);
            }
        }
    }

    private void apply(PendingWrite write) {
        if (write.create() != null) {
            projection.created(write.create(), write.change());
        } else {
            projection.apply(write.lane().id, write.change());
        }
    }

    private void repeated(PendingWrite write, KeyedAppend first, Answers answers) {
        AppendEvents append = write.append();
        try {
            if (append == null) {
                throw new IllegalStateException("the store found a key on a write that has none");
            }
            synchronized (write.lane()) {
                write.discard();
            }
            Appended result = repeated(append, first);
            if (unstage(write)) {
                answers.succeed(write, result);
            }
        } catch (Throwable e) {
            // reading or the caller's own function failed
            fail(write, e, answers);
        }
    }

    /** The first result of an append that is repeated under its key. */
    Appended repeated(AppendEvents append, KeyedAppend first) {
        SessionId id = append.session();
        long end = first.firstSeq() + first.count();
        List<SessionEvent> stored = store.events(id, EventRange.of(first.firstSeq(), end));
        if (!append.became(stored, true)) {
            throw new IdempotencyConflictException(
                    id, append.idempotencyKey().orElse(""), first.firstSeq(), first.count());
        }
        return new Appended(id, stored, end, true);
    }

    /**
     * Why an append under a lease that its plan refuses is refused in the first place, if its lease is lost: what the next holder
     * has made of the log since says nothing to this one. Cost: one look-up.
     */
    Optional<LeaseLostException> lostLease(SessionId id, Optional<LeaseToken> held) {
        if (held.isEmpty()) {
            return Optional.empty();
        }
        LeaseToken token = held.get();
        StoredLease lease = store.lease(id, token.purpose()).orElse(null);
        if (lease != null && lease.holder() != null && lease.token() == token.token()) {
            return Optional.empty();
        }
        leases.lost(id, token);
        return Optional.of(new LeaseLostException(id, token, lease));
    }

    private Throwable refusal(PendingWrite write, Throwable planned) {
        try {
            Optional<LeaseLostException> lost = lostLease(write.lane().id, write.leaseToken());
            return lost.isPresent() ? lost.get() : planned;
        } catch (RuntimeException e) {
            planned.addSuppressed(e);
            return planned;
        }
    }

    private boolean unstage(PendingWrite write) {
        synchronized (write.lane()) {
            boolean staged = write.lane().unstage(write);
            if (staged) {
                room.giveBack(write.bytes());
            }
            onSettled.accept(write.lane());
            return staged;
        }
    }

    private void fail(StagedRun run, Throwable cause, Answers answers) {
        run.writes().forEach(write -> fail(write, cause, answers));
    }

    private void fail(PendingWrite write, Throwable cause, Answers answers) {
        synchronized (write.lane()) {
            write.discard();
            if (unstage(write)) {
                answers.fail(write, cause);
            }
        }
    }

    /** Somebody else has moved the tail: catches up, and plans these writes and those staged on them once more. */
    private void planAgain(SessionLane lane, List<PendingWrite> moved, WriteQueue queue, Answers answers) {
        synchronized (lane) {
            List<PendingWrite> writes = new ArrayList<>(moved);
            writes.addAll(queue.takeBack(lane));
            if (writes.isEmpty()) {
                return;
            }
            Surface base;
            try {
                base = projection.refresh(lane.id);
            } catch (Throwable e) {
                writes.forEach(write -> fail(write, e, answers));
                return;
            }
            lane.committed = base.nextSeq();
            for (PendingWrite write : writes) {
                try {
                    write.planAgain(base);
                } catch (Throwable e) {
                    // refused, or the caller's own function failed
                    fail(write, refusal(write, e), answers);
                    continue;
                }
                base = write.change().after();
                lane.staged = base;
                queue.putBack(write);
            }
        }
    }

    private static AppendConflictException tooFast(SessionId id) {
        return new AppendConflictException(id, "other writers were faster " + MAX_CONFLICTS + " times; try it again");
    }
}
