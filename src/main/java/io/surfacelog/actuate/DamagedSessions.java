package io.surfacelog.actuate;

import io.surfacelog.command.CommandObserver;
import io.surfacelog.command.SessionCommand;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.VerifyReport;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.StoreFault;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The sessions this process has found damaged: by verifying them, by listing them, or because a write to one was refused.
 * What is found sound later is taken out again. Safe for use by several threads.
 */
final class DamagedSessions implements CommandObserver {

    /** Whoever has that many needs no longer list. */
    private static final int MOST = 1_000;

    private final Set<SessionId> found = new LinkedHashSet<>();

    @Override
    public Course begin(SessionCommand<?> command) {
        return new Course() {
            @Override
            public void failed(Throwable cause) {
                if (cause instanceof DamagedStoreException damaged) {
                    add(List.of(damaged.fault()));
                }
            }
        };
    }

    void verified(VerifyReport report) {
        if (report.isSound()) {
            remove(report.session());
        } else {
            add(report.session());
        }
    }

    void add(Collection<StoreFault> faults) {
        for (StoreFault fault : faults) {
            SessionId session = fault.session();
            if (session != null) {
                add(session);
            }
        }
    }

    private synchronized void add(SessionId session) {
        if (found.size() < MOST) {
            found.add(session);
        }
    }

    private synchronized void remove(SessionId session) {
        found.remove(session);
    }

    /** Those found first come first; at most 1,000. */
    synchronized List<SessionId> all() {
        return List.copyOf(found);
    }
}
