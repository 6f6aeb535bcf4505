package io.surfacelog.store;

import org.jspecify.annotations.Nullable;

/**
 * Who holds a lease. The store keeps it and does not look into it.
 *
 * @param owner a name that nobody else has, new for each lease that is taken
 * @param host the machine, as its people call it; null if that is not known
 * @param process its process: the number, and after a blank what tells it from every other process that ever had that
 *     number; null if that is not known
 */
public record LeaseHolder(
        String owner, @Nullable String host, @Nullable String process) {

    public LeaseHolder {
        if (owner.isEmpty()) {
            throw new IllegalArgumentException("expected the name of a lease's holder, found an empty one");
        }
    }

    /** Who it is, for people: {@code process 4711 on web-1}. */
    public String description() {
        String who = process == null ? "an unknown process" : "process " + process.split(" ", 2)[0];
        return host == null ? who : who + " on " + host;
    }
}
