package io.surfacelog.command;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The planned writes that wait for their commit, those of each lane in order; lanes take turns. Safe for several threads. */
final class QueuedWrites {

    private static final int WRITES_PER_COMMIT = 1_024;
    private static final int EVENTS_PER_COMMIT = 16_384;

    private final Map<SessionLane, Deque<PendingWrite>> lanes = new LinkedHashMap<>();
    private boolean closed;

    /** Takes a planned write; returns false if no more are let in. */
    synchronized boolean add(PendingWrite write) {
        if (!closed) {
            putBack(write);
        }
        return !closed;
    }

    /** Puts a write that was let in before behind those of its lane. */
    synchronized void putBack(PendingWrite write) {
        lanes.computeIfAbsent(write.lane(), lane -> new ArrayDeque<>()).add(write);
    }

    /** Takes all writes of a lane back out, in order. */
    synchronized List<PendingWrite> takeBack(SessionLane lane) {
        Deque<PendingWrite> taken = lanes.remove(lane);
        return taken == null ? List.of() : List.copyOf(taken);
    }

    /** Takes one run of each lane, as far as a commit has room; lanes with more to come go to the end. */
    synchronized List<StagedRun> takeNext() {
        List<StagedRun> runs = new ArrayList<>();
        int writes = 0;
        long events = 0;
        for (SessionLane lane : List.copyOf(lanes.keySet())) {
            if (writes >= WRITES_PER_COMMIT || events >= EVENTS_PER_COMMIT) {
                break;
            }
            Deque<PendingWrite> waiting = lanes.remove(lane);
            if (waiting == null) {
                continue;
            }
            List<PendingWrite> run = new ArrayList<>();
            do {
                PendingWrite write = waiting.remove();
                run.add(write);
                events += write.change().events().size();
            } while (!waiting.isEmpty()
                    && StagedRun.mayContinue(run.get(0), waiting.element())
                    && writes + run.size() < WRITES_PER_COMMIT
                    && events < EVENTS_PER_COMMIT);
            writes += run.size();
            runs.add(new StagedRun(lane, run));
            if (!waiting.isEmpty()) {
                lanes.put(lane, waiting);
            }
        }
        return runs;
    }

    synchronized boolean isEmpty() {
        return lanes.isEmpty();
    }

    /** How many writes wait. Cost: O(sessions that are written to). */
    synchronized int size() {
        return lanes.values().stream().mapToInt(Deque::size).sum();
    }

    synchronized void close() {
        closed = true;
    }

    synchronized boolean isClosed() {
        return closed;
    }
}
