package io.surfacelog.stream;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoredSubscription;
import io.surfacelog.store.SubscriptionRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers to a listener and keeps the position in the store. It holds the name while it runs: it is renewed by a thread
 * that does not wait for the listener, and asked about before each event, so that a process that was asleep for longer than
 * its hold does not go on beside the next one.
 */
final class DurableDelivery implements Delivery {

    private static final Logger LOG = LoggerFactory.getLogger(DurableDelivery.class);

    private final EventStore store;
    private final DurableRequest durable;
    private final Duration hold;
    private final Clock clock;
    private final Delivery listener;
    private final HoldRenewal renewal;
    private final Deque<SessionEventCommitted> upcoming = new ArrayDeque<>();
    private @Nullable SubscriptionFeed feed;

    /** As it is stored. Its monitor is this object's: two threads write it. */
    private @Nullable StoredSubscription stored;

    private boolean lost;
    private long renewedNanos;

    /** What was delivered, or is about to be, and not kept yet. */
    private StreamPosition reached = StreamPosition.BEGINNING;

    private int unkept;
    private long unkeptSince;

    /** Before the handler: up to where the position is kept already. */
    private StreamPosition keptTo = StreamPosition.BEGINNING;

    DurableDelivery(
            EventStore store,
            DurableRequest durable,
            Duration hold,
            Clock clock,
            Delivery listener,
            HoldRenewal renewal) {
        this.store = store;
        this.durable = durable;
        this.hold = hold;
        this.clock = clock;
        this.listener = listener;
        this.renewal = renewal;
    }

    /** To be called before anything else. */
    void of(SubscriptionFeed served) {
        feed = served;
    }

    private SubscriptionFeed feed() {
        return Objects.requireNonNull(feed);
    }

    @Override
    public boolean standsBy() {
        return true;
    }

    @Override
    public Cursor begin(Cursor requested) {
        long pause = Math.max(1, Math.min(250, hold.toMillis() / 4));
        boolean seq = requested.position() > 0 && !requested.isWhole();
        while (!feed().hasEnded()) {
            long asked = System.nanoTime();
            Optional<StoredSubscription> taken = feed().patiently(() -> store.takeSubscription(new SubscriptionRequest(
                    durable.name(),
                    durable.request().session(),
                    requested.position(),
                    seq ? requested.seq() : StoredSubscription.WHOLE,
                    clock.millis(),
                    hold)));
            if (taken != null && taken.isPresent()) {
                return held(taken.get(), asked, requested);
            }
            feed().pause(pause);
        }
        return requested;
    }

    private synchronized Cursor held(StoredSubscription taken, long asked, Cursor requested) {
        stored = taken;
        renewedNanos = asked;
        renewal.add(this);
        reached = position(taken);
        keptTo = reached;
        if (taken.position() == 0 && requested.position() == 0) {
            return requested; // it has heard nothing yet, and may be asked to begin at a seq
        }
        return Cursor.after(reached);
    }

    private static StreamPosition position(StoredSubscription stored) {
        return stored.seq() == StoredSubscription.WHOLE
                ? StreamPosition.after(stored.position())
                : StreamPosition.after(stored.position(), stored.seq());
    }

    @Override
    public void upcoming(List<SessionEventCommitted> events) {
        if (durable.keep() == DurableRequest.Keep.BEFORE_HANDLER) {
            upcoming.addAll(events);
        }
    }

    @Override
    public boolean deliver(SessionEventCommitted event) throws Exception {
        if (!expectHeld()) {
            return false;
        }
        if (durable.keep() == DurableRequest.Keep.AFTER_HANDLER) {
            listener.deliver(event);
            reached = event.streamPosition();
            unkeptSince = unkept++ == 0 ? System.nanoTime() : unkeptSince;
            return true;
        }
        if (keptTo.compareTo(event.streamPosition()) < 0) {
            SessionEventCommitted last = event;
            for (int i = 0; i < durable.every() && !upcoming.isEmpty(); i++) {
                last = upcoming.remove();
            }
            keptTo = last.streamPosition();
            if (!keep(keptTo)) {
                return false; // handled now, it would be handled again
            }
        }
        reached = event.streamPosition();
        return listener.deliver(event);
    }

    @Override
    public long settle() {
        if (unkept == 0) {
            return Long.MAX_VALUE;
        }
        long left = TimeUnit.NANOSECONDS.convert(durable.within()) - (System.nanoTime() - unkeptSince);
        if (unkept < durable.every() && left > 0) {
            return left;
        }
        if (keep(reached)) {
            unkept = 0;
        }
        return Long.MAX_VALUE;
    }

    /** Returns false if the subscription has ended before it could. */
    private boolean keep(StreamPosition position) {
        Boolean kept = feed().patiently(() -> move(position, true));
        if (kept != null && !kept) {
            throw new SubscriptionLostException(durable.name(), feed().position());
        }
        return kept != null;
    }

    /** Asks the store where nobody has for longer than the hold. Returns false if the subscription has ended before it could. */
    private boolean expectHeld() {
        boolean fresh;
        synchronized (this) {
            fresh = !lost && System.nanoTime() - renewedNanos < hold.toNanos();
        }
        if (fresh) {
            return true;
        }
        Boolean held = feed().patiently(() -> move(null, true));
        if (held != null && !held) {
            throw new SubscriptionLostException(durable.name(), feed().position());
        }
        return held != null;
    }

    /** Renews the hold, for a thread of its own; whether it is lost is found out here or before the next event. */
    void renew() {
        try {
            move(null, true);
        } catch (RuntimeException e) {
            LOG.warn("the hold on subscription {} is renewed later: {}", durable.name(), e.toString());
        }
    }

    /** Writes the position, or the last one again; returns false if somebody else has it. */
    private synchronized boolean move(@Nullable StreamPosition position, boolean hold) {
        StoredSubscription current = stored;
        if (current == null || lost) {
            return false;
        }
        StoredSubscription moved = position == null
                ? current
                : current.at(position.position(), position.seq().orElse(StoredSubscription.WHOLE));
        long now = clock.millis();
        long asked = System.nanoTime();
        moved = hold ? moved.held(now, this.hold) : moved.letGo(now);
        if (!store.moveSubscription(moved)) {
            lost = true;
            return false;
        }
        stored = moved;
        renewedNanos = asked;
        return true;
    }

    /** For good: a renewal that waits behind this must not take hold of it again. */
    private synchronized void letGo(@Nullable StreamPosition position) {
        move(position, false);
        stored = null;
    }

    @Override
    public void end(StreamPosition position, @Nullable Throwable failure, boolean cancelled) {
        renewal.remove(this);
        try {
            boolean after = durable.keep() == DurableRequest.Keep.AFTER_HANDLER;
            // before the handler, what was not handed over of what is kept is given back
            letGo(unkept > 0 || (!after && keptTo.compareTo(reached) > 0) ? reached : null);
        } catch (RuntimeException e) { // whatever it is, the listener is told of its end
            LOG.warn(
                    "the position of subscription {} could not be kept at its end, so that what it heard last comes again: {}",
                    durable.name(),
                    e.toString());
        }
        listener.end(position, failure, cancelled);
    }
}
