package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.UserMessage;
import io.surfacelog.surface.Surface;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many threads on sessions of their own and on shared ones: no gap, no loss, the order of each thread kept. */
class ConcurrencyTest extends StoreSuite {

    @Test
    void many_threads_lose_nothing() throws Exception {
        run(6, 2_000, 3, 1);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void many_threads_of_three_processes_lose_nothing_for_a_minute() throws Exception {
        run(12, 60_000, 4, 3);
    }

    private void run(int threads, long millis, int shared, int processes) throws Exception {
        Map<SessionId, List<SessionEvent>> heard = new ConcurrentHashMap<>();
        List<CommandStack> stacks = new ArrayList<>();
        stacks.add(start(CommandStack.on(store())
                .maxLiveSessions(3)
                .listenerBuffer(8)
                .listener(committed -> heard.computeIfAbsent(committed.session(), id -> new CopyOnWriteArrayList<>())
                        .add(committed.event()))));
        for (int i = 1; i < processes; i++) {
            stacks.add(start(CommandStack.on(storeOfAnotherProcess()).maxLiveSessions(2)));
        }
        List<SessionId> sessions = new ArrayList<>();
        for (int i = 0; i < shared + threads; i++) {
            sessions.add(stacks.get(0).commands.create(header("s" + i)));
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<List<List<String>>>> running = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int thread = t;
            SessionCommands commands = stacks.get(t % processes).commands;
            running.add(pool.submit(() -> write(thread, commands, sessions, shared, end)));
        }
        List<List<List<String>>> written = new ArrayList<>();
        for (Future<List<List<String>>> one : running) {
            written.add(one.get(millis + 60_000, TimeUnit.MILLISECONDS));
        }
        pool.shutdown();

        for (int s = 0; s < sessions.size(); s++) {
            SessionId id = sessions.get(s);
            List<SessionEvent> log = stored(id);
            List<String> texts = log.stream()
                    .map(event -> ((UserMessage) event.payload()).message().text())
                    .toList();
            int expected = 0;
            for (int t = 0; t < threads; t++) {
                String mine = t + ":";
                List<String> sent = written.get(t).get(s);
                assertThat(texts.stream().filter(text -> text.startsWith(mine)).toList())
                        .as("what thread %d wrote to %s", t, id)
                        .isEqualTo(sent);
                expected += sent.size();
            }
            assertThat(log).hasSize(expected);
            Surface folded = Surface.empty().plan(log).after();
            for (CommandStack stack : stacks) {
                assertThat(stack.queries.refresh(id).nodeSeqs()).isEqualTo(folded.nodeSeqs());
                assertThat(stack.queries.messages(id)).isEqualTo(folded.messages());
            }
            if (processes == 1) {
                Awaitility.await()
                        .atMost(Bounded.SECONDS, TimeUnit.SECONDS)
                        .untilAsserted(() ->
                                assertThat(heard.getOrDefault(id, List.of())).isEqualTo(log));
            }
        }
    }

    /** Writes until the end: to its own session and to shared ones, one by one, in batches and without waiting. */
    private static List<List<String>> write(
            int thread, SessionCommands commands, List<SessionId> sessions, int shared, long end) {
        Random random = new Random(thread);
        List<List<String>> written = new ArrayList<>();
        sessions.forEach(id -> written.add(new ArrayList<>()));
        for (int n = 0; System.nanoTime() < end; n++) {
            int to = random.nextBoolean() ? shared + thread : random.nextInt(shared);
            SessionId id = sessions.get(to);
            List<String> texts = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                texts.add(thread + ":" + n + "." + i);
            }
            if (random.nextInt(4) == 0) {
                List<CompletableFuture<Appended>> all = new ArrayList<>();
                for (String text : texts) {
                    all.add(commands.appendAllAsync(id, List.of(Drafts.say(text))));
                }
                for (int i = 0; i < all.size(); i++) {
                    if (succeeds(all.get(i))) {
                        written.get(to).add(texts.get(i));
                    }
                }
            } else if (succeeds(commands, id, texts, random.nextInt(5) == 0)) {
                written.get(to).addAll(texts);
            }
        }
        return written;
    }

    private static boolean succeeds(SessionCommands commands, SessionId id, List<String> texts, boolean keyed) {
        AppendEvents append =
                AppendEvents.to(id, texts.stream().map(Drafts::say).toList());
        try {
            commands.append(keyed ? append.idempotencyKey(texts.get(0)) : append);
            return !keyed
                    || commands.append(append.idempotencyKey(texts.get(0))).repeated();
        } catch (AppendConflictException e) {
            return false; // other processes were faster sixteen times: nothing was written
        }
    }

    private static boolean succeeds(CompletableFuture<Appended> append) {
        return append.handle((result, failure) -> {
                    assertThat(failure == null || failure instanceof AppendConflictException)
                            .as("%s", failure)
                            .isTrue();
                    return failure == null;
                })
                .join();
    }
}
