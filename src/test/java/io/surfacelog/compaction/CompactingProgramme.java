package io.surfacelog.compaction;

import io.surfacelog.command.CommandStack;
import io.surfacelog.crash.ChildJvm;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A process that talks and compacts until it is killed, or hangs within a compaction until it is. */
final class CompactingProgramme {

    static final String HANGS = "hangs";

    private CompactingProgramme() {}

    /** Args are the database, the session, and in which compaction it hangs, 0 for none. */
    public static void main(String[] args) {
        int hangsIn = Integer.parseInt(args[2]);
        AtomicInteger asked = new AtomicInteger();
        Summarizer summarizer = request -> {
            if (asked.incrementAndGet() == hangsIn) {
                System.out.println(HANGS);
                new CountDownLatch(1).await();
            }
            return new ExtractiveSummarizer().summarize(request);
        };
        SessionId id = SessionId.of(args[1]);
        try (EventStore store = SqliteEventStore.open(
                        SqliteSettings.at(Path.of(args[0])).synchronous(SqliteSettings.Synchronous.NORMAL));
                CommandStack stack = CommandStack.on(store)
                        .listener(committed ->
                                System.out.println("event " + committed.event().seq()))
                        .start();
                Compactions compactions =
                        Compactions.of(stack.commands, stack.queries, summarizer, CompactionSettings.defaults())) {
            Conversation talk = new Conversation(
                    stack.commands, id, 6, stack.queries.surface(id).lastTurn());
            ChildJvm.ready();
            while (true) {
                talk.turns(3);
                compactions.compactNow(id);
            }
        } catch (RuntimeException e) {
            System.out.println("fault " + e);
        }
    }
}
