package io.surfacelog.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The lead of commits, which one thread has at a time. Whoever waits for an answer is woken up by that answer, all at once,
 * and not one after the other by way of the lead: so some plan what they append next while another one commits what was
 * appended meanwhile. Where the lead is free and something is queued, there is always somebody on the way to take it: the one
 * who queued it, if the lead was free; else one of those who wait, called by whoever passes the lead on. Safe for use by
 * several threads.
 */
final class CommitLead {

    /** Somebody who waits for an answer and can be called to lead until it comes. */
    private record Waiting(Thread thread, CompletableFuture<?> answer) {}

    /** Those who must lead take turns: nobody who only may lead overtakes them. */
    private final ReentrantLock lock = new ReentrantLock(true);

    private final BooleanSupplier work;
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();

    /** Whom to wake up when the lead is passed on; the leading thread's. */
    private final List<Thread> answered = new ArrayList<>();

    /** The condition tells whether anything is queued. */
    CommitLead(BooleanSupplier work) {
        this.work = work;
    }

    boolean isMine() {
        return lock.isHeldByCurrentThread();
    }

    void take() {
        lock.lock();
    }

    /** Takes the lead unless an interrupt comes first. */
    void takeInterruptibly() throws InterruptedException {
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            // somebody may have left the lead to this thread
            callOne();
            throw e;
        }
    }

    private boolean takeIfFree() {
        return !lock.hasQueuedThreads() && lock.tryLock();
    }

    /** Passes the lead on; those who were answered meanwhile are woken up when another one can already lead. */
    void pass() {
        if (lock.getHoldCount() > 1) {
            lock.unlock();
            return;
        }
        List<Thread> woken = List.copyOf(answered);
        answered.clear();
        lock.unlock();
        callOne();
        woken.forEach(LockSupport::unpark);
    }

    /**
     * Returns when this answer has come. Where something is queued and nobody leads, this thread does meanwhile; an interrupt is
     * kept for after it.
     *
     * @param leadOnce leads once: the lead is taken, and this passes it on
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it wakes up this thread and tells nobody anything
    void leadUntil(CompletableFuture<?> answer, Runnable leadOnce) {
        while (!answer.isDone() && work.getAsBoolean() && takeIfFree()) {
            leadOnce.run();
        }
        if (answer.isDone()) {
            return;
        }
        Waiting here = new Waiting(Thread.currentThread(), answer);
        boolean interrupted = false;
        waiting.add(here);
        answer.whenComplete((result, failure) -> wake(here.thread()));
        try {
            while (!answer.isDone()) {
                if (work.getAsBoolean() && takeIfFree()) {
                    leadOnce.run();
                } else {
                    LockSupport.park(this);
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            waiting.remove(here);
            // this thread may have been called, and is answered instead
            callOne();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void wake(Thread thread) {
        if (!isMine()) {
            LockSupport.unpark(thread);
        } else if (thread != Thread.currentThread()) {
            answered.add(thread);
        }
    }

    /** Calls one of those who wait to lead, if anything is queued and nobody leads. Cost: O(those answered and still asleep). */
    private void callOne() {
        if (lock.isLocked() || lock.hasQueuedThreads() || !work.getAsBoolean()) {
            return;
        }
        for (Waiting one : waiting) {
            if (!one.answer().isDone()) {
                LockSupport.unpark(one.thread());
                return;
            }
        }
    }
}
