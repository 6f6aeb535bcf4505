package io.surfacelog.projection;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several observers as one, of whom none harms another or the query. */
record QueryObservers(List<QueryObserver> observers) implements QueryObserver {

    private static final Logger LOG = LoggerFactory.getLogger(QueryObservers.class);

    /** The observer, so that it can do no harm. */
    static QueryObserver contained(QueryObserver observer) {
        return observer == NONE || observer instanceof QueryObservers
                ? observer
                : new QueryObservers(List.of(observer));
    }

    @Override
    public void derived(Moment moment, long nanos) {
        for (QueryObserver observer : observers) {
            try {
                observer.derived(moment, nanos);
            } catch (Throwable e) {
                // a query must not fail for the sake of who measures it
                LOG.error("{} failed; nothing but its measurement is lost", observer, e);
            }
        }
    }
}
