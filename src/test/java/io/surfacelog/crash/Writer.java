package io.surfacelog.crash;

import io.surfacelog.command.AppendConflictException;
import io.surfacelog.command.Appended;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.Drafts;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.SessionExistsException;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * One of several children that open one store at once and write for a while, to a session of its own and to those they
 * share; then it compares what its listener has heard with what it has been answered.
 */
final class Writer {

    static final int SHARED_SESSIONS = 2;

    private final String name;
    private final CommandStack stack;
    private final Random random;
    private final ConcurrentHashMap<SessionId, List<Long>> heard;
    private final ConcurrentHashMap<SessionId, List<Long>> answered = new ConcurrentHashMap<>();

    private Writer(String name, CommandStack stack, ConcurrentHashMap<SessionId, List<Long>> heard) {
        this.name = name;
        this.stack = stack;
        this.random = new Random(name.hashCode());
        this.heard = heard;
    }

    static SessionId shared(int number) {
        return SessionId.of("shared-" + number);
    }

    /** The texts of a batch are the writer, the batch, the place in it and the size. */
    static String text(String name, int batch, int place, int size) {
        return name + "-" + batch + "-" + place + "-" + size;
    }

    /** Arguments: the database file, the name, for how long to write in milliseconds. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ChildJvm.ready();
        if (System.in.read() < 0) {
            return;
        }
        ConcurrentHashMap<SessionId, List<Long>> heard = new ConcurrentHashMap<>();
        try (EventStore store = SqliteEventStore.open(SqliteSettings.at(Path.of(args[0])));
                CommandStack stack = CommandStack.on(store)
                        .listener(event -> heard.computeIfAbsent(event.session(), id -> new CopyOnWriteArrayList<>())
                                .add(event.event().seq()))
                        .start()) {
            Writer writer = new Writer(args[1], stack, heard);
            writer.write(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[2])));
            writer.compare();
        } catch (Throwable e) {
            e.printStackTrace();
            Programme.say("fault " + e);
            Runtime.getRuntime().halt(1);
        }
    }

    private void write(long end) {
        SessionId own = SessionId.of("own-" + name);
        create(own);
        for (int i = 0; i < SHARED_SESSIONS; i++) {
            create(shared(i));
        }
        for (int batch = 0; System.nanoTime() < end; batch++) {
            SessionId id = random.nextBoolean() ? own : shared(random.nextInt(SHARED_SESSIONS));
            int size = 1 + random.nextInt(4);
            List<EventDraft> drafts = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                drafts.add(Drafts.say(text(name, batch, i, size)));
            }
            append(id, drafts);
        }
    }

    private void create(SessionId id) {
        try {
            stack.commands.create(SessionHeader.builder().id(id).build());
        } catch (SessionExistsException e) {
            Programme.say("found " + id);
        }
    }

    private void append(SessionId id, List<EventDraft> drafts) {
        while (true) {
            try {
                Appended appended = stack.commands.appendAll(id, drafts);
                appended.events()
                        .forEach(event -> answered.computeIfAbsent(id, session -> new ArrayList<>())
                                .add(event.seq()));
                Operations.acknowledge(appended);
                return;
            } catch (AppendConflictException e) {
                // the others were faster sixteen times; nothing was written
                Programme.say("overtaken " + id);
            }
        }
    }

    /** The listeners have a thread of their own, which may be behind. */
    private void compare() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!hasHeardAll() && System.nanoTime() < end) {
            Thread.sleep(5);
        }
        Programme.say(hasHeardAll() ? "heard all" : "fault heard " + heard + ", answered " + answered);
    }

    /** Each event of its own once, in order; those of others too, where the listener has read from the store. */
    private boolean hasHeardAll() {
        return answered.entrySet().stream().allMatch(session -> {
            Set<Long> own = Set.copyOf(session.getValue());
            return session.getValue()
                    .equals(heard.getOrDefault(session.getKey(), List.of()).stream()
                            .filter(own::contains)
                            .toList());
        });
    }
}
