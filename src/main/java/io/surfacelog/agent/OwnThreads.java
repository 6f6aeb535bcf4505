package io.surfacelog.agent;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The threads that work for one agent now: they must not wait for its end. */
final class OwnThreads {

    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    void enter() {
        threads.add(Thread.currentThread());
    }

    void leave() {
        threads.remove(Thread.currentThread());
    }

    boolean isCurrent() {
        return threads.contains(Thread.currentThread());
    }
}
