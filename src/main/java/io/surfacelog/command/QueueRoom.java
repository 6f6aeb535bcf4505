package io.surfacelog.command;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The bytes of all writes that are let in and not settled. It never holds more than its limit, but for one write larger
 * than the limit, which is let in alone. Whoever finds no room waits in line, so that a large write is not overtaken by
 * small ones for ever; the first in line leads commits meanwhile and so makes room itself.
 */
final class QueueRoom {

    /** How long to wait where there is nothing to commit: those in between have room and are about to plan. */
    private static final long PAUSE_MILLIS = 5;

    private final long limit;
    private final ArrayDeque<Object> line = new ArrayDeque<>();
    private long taken;

    QueueRoom(long limit) {
        this.limit = limit;
    }

    /** Room that a writer has got before it has planned for it. */
    static final class Held {

        private long bytes;
    }

    /** Takes room at once, first of all what is held; returns false if there is none or others wait in line for it. */
    synchronized boolean take(long bytes, Held held) {
        if (held.bytes >= bytes) {
            giveBack(held.bytes - bytes);
            held.bytes = 0;
            return true;
        }
        giveBack(held);
        return line.isEmpty() && fits(bytes);
    }

    private boolean fits(long bytes) {
        if (taken > 0 && bytes > limit - taken) {
            return false;
        }
        taken += bytes;
        return true;
    }

    /** Leads one commit and returns whether there may be more to commit. */
    interface Lead {
        boolean once() throws InterruptedException;
    }

    /**
     * Waits in line for room.
     *
     * @param lead leads one commit
     * @param closed whether nothing is let in any more: then it returns without room
     */
    Held await(long bytes, Lead lead, BooleanSupplier closed) throws InterruptedException {
        Held held = new Held();
        Object place = new Object();
        synchronized (this) {
            line.add(place);
        }
        try {
            while (!closed.getAsBoolean()) {
                boolean first;
                synchronized (this) {
                    first = place.equals(line.peek());
                    if (first && fits(bytes)) {
                        held.bytes = bytes;
                        return held;
                    }
                    if (!first) {
                        wait();
                    }
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (first && !lead.once()) {
                    pause();
                }
            }
            return held;
        } finally {
            synchronized (this) {
                line.remove(place);
                notifyAll();
            }
        }
    }

    private synchronized void pause() throws InterruptedException {
        TimeUnit.MILLISECONDS.timedWait(this, PAUSE_MILLIS);
    }

    synchronized void giveBack(long bytes) {
        taken -= bytes;
        notifyAll();
    }

    /** Gives back what is held and was not used. */
    synchronized void giveBack(Held held) {
        if (held.bytes > 0) {
            giveBack(held.bytes);
            held.bytes = 0;
        }
    }

    /** Has those in line look again whether it is closed. */
    synchronized void wake() {
        notifyAll();
    }

    /** How many writes wait in line. */
    synchronized int waiting() {
        return line.size();
    }

    synchronized long taken() {
        return taken;
    }
}
