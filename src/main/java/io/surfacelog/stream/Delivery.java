package io.surfacelog.stream;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What becomes of the events of one subscription. Called by its thread only, one call after the other. */
interface Delivery {

    /** Whether {@link #begin} may wait for its turn, for however long: nobody is slow meanwhile. */
    default boolean standsBy() {
        return false;
    }

    /** Called first, and may take its time. Returns where to begin. */
    default Cursor begin(Cursor requested) throws InterruptedException {
        return requested;
    }

    /** Called with events that are going to be delivered next, in their order. */
    default void upcoming(List<SessionEventCommitted> events) {}

    /**
     * Delivers one event. What it throws ends the subscription.
     *
     * @return false if the subscription has ended before the event could be handed over, which it was not then
     */
    boolean deliver(SessionEventCommitted event) throws Exception;

    /**
     * Called after each event, and where there is none to deliver.
     *
     * @return in how many nanoseconds it wants to be called again if there is none until then
     */
    default long settle() {
        return Long.MAX_VALUE;
    }

    /**
     * Called last.
     *
     * @param position behind the last event that was delivered
     * @param failure why it ended, null if it was closed
     * @param cancelled whether the subscriber has ended it, and so need not be told
     */
    void end(StreamPosition position, @Nullable Throwable failure, boolean cancelled);
}
