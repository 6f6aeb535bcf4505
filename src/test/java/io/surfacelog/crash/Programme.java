package io.surfacelog.crash;

import io.surfacelog.command.CommandStack;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import io.surfacelog.store.sqlite.SqliteSettings.Synchronous;
import io.surfacelog.surface.StructureMode;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Random;

/**
 * What a child does until it is killed: two threads write to one store, each to sessions of its own and both to one they
 * share, and acknowledge each answered write on standard output.
 */
final class Programme {

    private static final int THREADS = 2;

    private Programme() {}

    /** Arguments: the database file, the seed. */
    public static void main(String[] args) throws InterruptedException {
        long seed = Long.parseLong(args[1]);
        Random random = new Random(seed);
        SqliteSettings settings = SqliteSettings.at(Path.of(args[0]))
                .synchronous(random.nextInt(4) == 0 ? Synchronous.FULL : Synchronous.NORMAL);
        EventStore store = SqliteEventStore.open(settings);
        CommandStack stack = CommandStack.on(store)
                .structure(StructureMode.REPORT)
                .maxLiveSessions(2 + random.nextInt(4))
                .checkpointsEvery(1 + random.nextInt(20))
                .start();
        ChildJvm.ready();
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            Random own = new Random(random.nextLong());
            String name = "t" + i;
            threads[i] = new Thread(() -> run(stack, name, own), name);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void run(CommandStack stack, String name, Random random) {
        try {
            Operations operations = new Operations(stack, name, random);
            while (true) {
                operations.one();
            }
        } catch (Throwable e) {
            e.printStackTrace();
            say("fault " + e);
            Runtime.getRuntime().halt(1);
        }
    }

    static void acknowledge(Acknowledgement answered) {
        say(answered.line());
    }

    static void say(String line) {
        PrintStream out = System.out;
        synchronized (out) {
            out.print(line + "\n");
            out.flush();
        }
    }
}
