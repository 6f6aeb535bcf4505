package io.surfacelog.cli;

import io.surfacelog.crash.ChildJvm;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Path;

/**
 * A process that serves one session, {@code s}, as the command {@code serve} does, and whenever it is told to go on says what it holds: nothing but the service
 * itself is in its heap.
 */
final class IdleService {

    static final String ADDRESS = "address ";
    static final String HEAP = "heap ";
    static final String THREADS = "threads ";

    private static final int COLLECTIONS = 5;

    private IdleService() {}

    /** Argument: the database file. */
    public static void main(String[] args) throws IOException {
        ChildJvm.ready();
        try (Standalone served = Standalone.serve(Path.of(args[0]), 0)) {
            served.commands()
                    .create(SessionHeader.builder().id(SessionId.of("s")).build());
            say(ADDRESS + served.address());
            while (System.in.read() >= 0) {
                say(THREADS + Thread.activeCount());
                say(HEAP + heap());
            }
        }
    }

    private static long heap() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long used = Long.MAX_VALUE;
        // the least of several, since one collection need not find everything
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            used = Math.min(used, memory.getHeapMemoryUsage().getUsed());
        }
        return used;
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
