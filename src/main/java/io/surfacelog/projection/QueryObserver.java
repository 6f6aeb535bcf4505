package io.surfacelog.projection;

import java.util.List;

/**
 * Is told how queries go, for those who measure. Called on the thread of whoever asks, before it is answered: it must be
 * quick. What it throws is logged and changes nothing. Safe for use by several threads.
 */
@FunctionalInterface
public interface QueryObserver {

    /** Nobody measures: nothing is timed. */
    QueryObserver NONE = (moment, nanos) -> {};

    /** All of these as one. What one of them throws keeps nothing from the others. */
    static QueryObserver all(List<QueryObserver> observers) {
        return observers.isEmpty() ? NONE : new QueryObservers(List.copyOf(observers));
    }

    /** Of which moment messages were derived. */
    enum Moment {
        /** Of now, from the live surface. */
        NOW,
        /** Of an earlier one, from a fold of its own. */
        AS_OF
    }

    /** Messages or a request were derived, the opening of the session included, in so many nanoseconds. */
    void derived(Moment moment, long nanos);
}
