package io.surfacelog.stream;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last commits without a gap, one buffer for all subscriptions, so that those who are near the end need not read the
 * store. Safe for use by any number of threads.
 */
final class RecentCommits {

    /** What is kept alive by it, whatever the number of commits. */
    private static final int MOST_EVENTS = 32_768;

    private final @Nullable CommittedEvents[] slots;
    private long first = 1;
    private long events;

    /** The newest position known to be durable; all from the first to this one stand in the slots. */
    private volatile long knownTo;

    RecentCommits(int commits) {
        this.slots = new CommittedEvents[commits];
    }

    /** Returns false if its position was known before, from the store. */
    synchronized boolean add(CommittedEvents commit) {
        long position = commit.position();
        if (position <= knownTo) {
            return false;
        }
        if (position != knownTo + 1) {
            // what lies between was committed by others: it is in the store
            forgetBelow(position);
        }
        forgetBelow(position - slots.length + 1);
        slots[slot(position)] = commit;
        events += commit.events().size();
        knownTo = position;
        while (events > MOST_EVENTS && first < position) {
            forgetBelow(first + 1);
        }
        return true;
    }

    /** All up to this position is durable and can be read from the store. Returns whether that is news. */
    synchronized boolean knows(long position) {
        if (position <= knownTo) {
            return false;
        }
        forgetBelow(position + 1);
        knownTo = position;
        return true;
    }

    long knownTo() {
        return knownTo;
    }

    /** Those after this position, at most so many; null if they, or some of them, stand in the store only. */
    synchronized @Nullable List<CommittedEvents> after(long position, int limit) {
        if (position + 1 < first) {
            return null;
        }
        List<CommittedEvents> found = new ArrayList<>();
        for (long at = position + 1; at <= knownTo && found.size() < limit; at++) {
            CommittedEvents commit = slots[slot(at)];
            if (commit == null) {
                throw new IllegalStateException(
                        "expected the commit at " + at + " between " + first + " and " + knownTo);
            }
            found.add(commit);
        }
        return found;
    }

    /** Lets go of all commits, which nobody needs for now. */
    synchronized void clear() {
        forgetBelow(knownTo + 1);
    }

    private void forgetBelow(long position) {
        for (; first < position && first <= knownTo; first++) {
            CommittedEvents commit = slots[slot(first)];
            if (commit != null) {
                events -= commit.events().size();
                slots[slot(first)] = null;
            }
        }
        first = Math.max(first, position);
    }

    private int slot(long position) {
        return (int) (position % slots.length);
    }
}
