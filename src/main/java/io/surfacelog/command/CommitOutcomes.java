package io.surfacelog.command;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfacelogException;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.KeyedAppend;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.store.WriteOutcome;
import io.surfacelog.stream.CommittedEvents;
import io.surfacelog.stream.EventDispatcher;
import io.surfacelog.surface.Surface;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Carries the outcome of a commit through: applies and publishes what is durable, plans again what met another tail, and
 * fails the rest, together with what was staged on it. Runs on the leading thread only; the answers to callers are
 * collected and given when the lead is passed on.
 */
final class CommitOutcomes {

    private static final int MAX_PLANS = 16;

    private final EventStore store;
    private final SurfaceProjection projection;
    private final EventDispatcher dispatcher;
    private final Consumer<SessionLane> onSettled;

    /** The consumer is told, under the lane's monitor, when a write of the lane is settled. */
    CommitOutcomes(
            EventStore store,
            SurfaceProjection projection,
            EventDispatcher dispatcher,
            Consumer<SessionLane> onSettled) {
        this.onSettled = onSettled;
        this.store = store;
        this.projection = projection;
        this.dispatcher = dispatcher;
    }

    void committed(List<PendingWrite> writes, List<WriteOutcome> results, WriteQueue queue, List<Runnable> settled) {
        Map<SessionLane, List<PendingWrite>> moved = new LinkedHashMap<>();
        for (int i = 0; i < writes.size(); i++) {
            PendingWrite write = writes.get(i);
            WriteOutcome outcome = results.get(i);
            if (outcome instanceof WriteOutcome.Committed committed) {
                publish(write, committed.position(), settled);
            } else if (outcome instanceof WriteOutcome.TailMoved) {
                moved.computeIfAbsent(write.lane(), lane -> new ArrayList<>()).add(write);
            } else if (outcome instanceof WriteOutcome.KeyUsed used) {
                repeated(write, used.first(), settled);
                moved.computeIfAbsent(write.lane(), lane -> new ArrayList<>());
            } else if (outcome instanceof WriteOutcome.IdTaken) {
                fail(write, new SessionExistsException(write.lane().id), settled);
                moved.computeIfAbsent(write.lane(), lane -> new ArrayList<>());
            } else {
                projection.forget(write.lane().id);
                fail(write, new UnknownSessionException(write.lane().id), settled);
                moved.computeIfAbsent(write.lane(), lane -> new ArrayList<>());
            }
        }
        moved.forEach((lane, again) -> planAgain(lane, again, queue, settled));
    }

    /** The transaction failed as a whole: its writes fail, and so does what was staged on them. */
    void failed(List<PendingWrite> writes, Throwable cause, WriteQueue queue, List<Runnable> settled) {
        Map<SessionLane, List<PendingWrite>> lanes = new LinkedHashMap<>();
        for (PendingWrite write : writes) {
            lanes.computeIfAbsent(write.lane(), lane -> new ArrayList<>()).add(write);
        }
        lanes.forEach((lane, failed) -> {
            synchronized (lane) {
                failed.forEach(write -> fail(write, cause, settled));
                for (PendingWrite staged : queue.takeBack(lane)) {
                    fail(
                            staged,
                            new AppendConflictException(
                                    lane.id, "the append it was planned on failed; try it again", cause),
                            settled);
                }
                // whatever became of the transaction, the store knows it better than the live surface
                projection.forget(lane.id);
            }
        });
    }

    private void publish(PendingWrite write, long position, List<Runnable> settled) {
        SessionLane lane = write.lane();
        synchronized (lane) {
            if (write.create() != null) {
                projection.created(write.create(), write.change());
            } else {
                projection.apply(lane.id, write.change());
            }
            lane.committed = write.change().after().nextSeq();
            unstage(write);
        }
        List<SessionEvent> events = write.change().events();
        if (!events.isEmpty()) {
            dispatcher.dispatch(new CommittedEvents(lane.id, position, events));
        }
        Appended result = write.result();
        settled.add(() -> write.future().complete(result));
    }

    private void repeated(PendingWrite write, KeyedAppend first, List<Runnable> settled) {
        try {
            settle(write, repeated(write, first), settled);
        } catch (SurfacelogException e) {
            fail(write, e, settled);
        }
    }

    /** The first result of an append that is repeated under its key. */
    Appended repeated(PendingWrite write, KeyedAppend first) {
        long end = first.firstSeq() + first.count();
        List<SessionEvent> stored = store.events(write.lane().id, EventRange.of(first.firstSeq(), end));
        if (!write.hasContentOf(stored)) {
            throw new IdempotencyConflictException(
                    write.lane().id, write.key().orElse(""), first.firstSeq(), first.count());
        }
        return new Appended(write.lane().id, stored, end, true);
    }

    private void unstage(PendingWrite write) {
        write.lane().unstage(write);
        onSettled.accept(write.lane());
    }

    private void settle(PendingWrite write, Appended result, List<Runnable> settled) {
        synchronized (write.lane()) {
            unstage(write);
        }
        settled.add(() -> write.future().complete(result));
    }

    private void fail(PendingWrite write, Throwable cause, List<Runnable> settled) {
        synchronized (write.lane()) {
            unstage(write);
        }
        settled.add(() -> write.future().completeExceptionally(cause));
    }

    /** Somebody else has moved the tail: catches up, and plans these writes and those staged on them once more. */
    private void planAgain(SessionLane lane, List<PendingWrite> moved, WriteQueue queue, List<Runnable> settled) {
        synchronized (lane) {
            List<PendingWrite> writes = new ArrayList<>(moved);
            writes.addAll(queue.takeBack(lane));
            if (writes.isEmpty()) {
                return;
            }
            Surface base;
            try {
                base = projection.refresh(lane.id);
            } catch (SurfacelogException e) {
                writes.forEach(write -> fail(write, e, settled));
                return;
            }
            lane.committed = base.nextSeq();
            for (PendingWrite write : writes) {
                try {
                    base = planAgain(write, base);
                    lane.staged = base;
                    queue.putBack(write);
                } catch (RuntimeException e) {
                    fail(write, e, settled);
                }
            }
        }
    }

    private static Surface planAgain(PendingWrite write, Surface base) {
        if (write.create() != null) {
            throw new SessionExistsException(write.lane().id);
        }
        if (write.plans() >= MAX_PLANS) {
            throw new AppendConflictException(
                    write.lane().id, "other writers were faster " + MAX_PLANS + " times; try it again");
        }
        write.planAgain(base);
        return write.change().after();
    }
}
