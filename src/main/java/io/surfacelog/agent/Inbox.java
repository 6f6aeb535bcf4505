package io.surfacelog.agent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** What was given to an agent and is not in the log yet. Guarded by its own monitor. */
final class Inbox {

    private final Deque<QueuedInput> followUps = new ArrayDeque<>();
    private final Deque<QueuedInput> steering = new ArrayDeque<>();
    private final Deque<QueuedInput> context = new ArrayDeque<>();

    synchronized void add(QueuedInput input) {
        of(input.kind()).add(input);
    }

    /** What begins the next turn: a remark that no turn took in, before what was asked for. */
    synchronized Optional<QueuedInput> claimTurn() {
        QueuedInput first = steering.poll();
        return Optional.ofNullable(first != null ? first : followUps.poll());
    }

    /** What joins before a step next: context first, then remarks, each kind as it came. */
    synchronized Optional<QueuedInput> claimForStep() {
        QueuedInput first = context.poll();
        return Optional.ofNullable(first != null ? first : steering.poll());
    }

    /** How many wait to join before a step. */
    synchronized int waitingForStep() {
        return context.size() + steering.size();
    }

    synchronized boolean hasSteering() {
        return !steering.isEmpty();
    }

    synchronized boolean asksForTurn() {
        return !steering.isEmpty() || !followUps.isEmpty();
    }

    synchronized boolean remove(QueuedInput input) {
        return of(input.kind()).remove(input);
    }

    synchronized List<QueuedInput> clear() {
        List<QueuedInput> all = new ArrayList<>(context);
        all.addAll(steering);
        all.addAll(followUps);
        context.clear();
        steering.clear();
        followUps.clear();
        return all;
    }

    private Deque<QueuedInput> of(QueuedInput.Kind kind) {
        return switch (kind) {
            case FOLLOW_UP -> followUps;
            case STEERING -> steering;
            case CONTEXT -> context;
        };
    }
}
