package io.surfacelog.store;

import org.jspecify.annotations.Nullable;

/**
 * Who holds a lease. The store keeps it and does not look into it.
 *
 * @param owner a name that nobody else has, new for each lease that is taken
 * @param host the machine, as its people call it; null if that is not known
 * @param process what tells its process from every other one of the machine, a later one of the same number too; null if
 *     that is not known
 */
public record LeaseHolder(
        String owner, @Nullable String host, @Nullable String process) {

    public LeaseHolder {
        if (owner.isEmpty()) {
            throw new IllegalArgumentException("expected the name of a lease's holder, found an empty one");
        }
    }
}
