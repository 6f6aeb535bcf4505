package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.QueueSettings.WhenFull;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.UserMessage;
import io.surfacelog.store.StoreException;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.stream.SessionEventCommitted;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Whatever is appended in whatever way while commits fail, answers are lost, the store cannot be read and another process
 * writes: the log is what was acknowledged, the surface is its fold, and listeners hear of each event once.
 */
class GroupCommitLawsTest extends StoreSuite {

    private static final int THREADS = 3;
    private static final int WRITES = 50;

    /** One append and what its caller was told. */
    private record Told(SessionId session, List<String> texts, CompletableFuture<Appended> answer) {}

    @Test
    void the_log_is_what_was_acknowledged_and_is_heard_once() {
        Seeds.forEach(6, seed -> new Course(seed).run());
    }

    /** One run of several threads, in sessions of its own. */
    private final class Course {

        private final long seed;
        private final Random faults;
        private final FaultyStore faulty = new FaultyStore(store());
        private final List<SessionEventCommitted> heard = new CopyOnWriteArrayList<>();
        private final CommandStack here =
                start(CommandStack.on(faulty).queue(6_000, WhenFull.BLOCK).listener(heard::add));
        private final CommandStack there = startAnotherProcess();
        private final List<SessionId> sessions = new ArrayList<>();
        private final AtomicInteger unreadable = new AtomicInteger();

        Course(long seed) {
            this.seed = seed;
            this.faults = new Random(seed);
        }

        void run() {
            for (int i = 0; i < 3; i++) {
                sessions.add(here.commands.create(header("s" + seed + "-" + i)));
            }
            injectFaults();
            ExecutorService pool = Executors.newFixedThreadPool(THREADS);
            List<CompletableFuture<List<Told>>> running = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                String thread = "t" + t;
                Random random = new Random(seed * 31 + t);
                running.add(CompletableFuture.supplyAsync(() -> write(thread, random), pool));
            }
            List<Told> told = new ArrayList<>();
            running.forEach(one ->
                    told.addAll(one.orTimeout(Bounded.SECONDS, TimeUnit.SECONDS).join()));
            pool.shutdown();
            faulty.heal();
            sessions.forEach(here.commands::flush);
            // its commit has listeners look for what they were not told of
            sessions.forEach(id -> here.commands.appendAll(id, List.of(Drafts.say("end"))));
            sessions.forEach(id -> check(
                    id, told.stream().filter(one -> one.session().equals(id)).toList()));
        }

        private void injectFaults() {
            faulty.afterFind(id -> {
                if (unreadable.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new StoreUnavailableException(Reason.IO, "cannot be read");
                }
            });
            // both run under the lead, so by one thread at a time
            faulty.beforeCommit(writes -> {
                switch (faults.nextInt(16)) {
                    case 0 -> throw new StoreUnavailableException(Reason.DISK_FULL, "full");
                    case 1 -> throw new IllegalStateException("odd");
                    case 2, 3 ->
                        there.commands.appendAll(
                                writes.get(0).create() != null
                                        ? sessions.get(0)
                                        : writes.get(0).id(),
                                List.of(Drafts.say("there " + faults.nextLong())));
                    default -> {
                        // it goes well
                    }
                }
            });
            faulty.afterCommit(outcomes -> {
                switch (faults.nextInt(10)) {
                    case 0 -> throw new StoreUnavailableException(Reason.IO, "the answer was lost");
                    case 1 -> {
                        unreadable.set(faults.nextInt(9));
                        throw new StoreUnavailableException(Reason.IO, "the answer was lost");
                    }
                    default -> {
                        return outcomes;
                    }
                }
            });
        }

        private List<Told> write(String thread, Random random) {
            List<Told> told = new ArrayList<>();
            EventHandle last = EventHandle.create();
            SessionId lastIn = sessions.get(0);
            for (int n = 0; n < WRITES; n++) {
                SessionId id = sessions.get(random.nextInt(sessions.size()));
                List<String> texts = new ArrayList<>();
                List<EventDraft> drafts = new ArrayList<>();
                for (int i = random.nextInt(3); i >= 0; i--) {
                    texts.add(thread + ":" + n + "." + i + "x".repeat(random.nextInt(400)));
                    drafts.add(Drafts.say(texts.get(texts.size() - 1)));
                }
                if (n > 0 && id.equals(lastIn) && random.nextBoolean()) {
                    drafts.set(0, drafts.get(0).citing(last));
                }
                last = EventHandle.create();
                lastIn = id;
                drafts.set(0, drafts.get(0).named(last));
                AppendEvents append = AppendEvents.to(id, drafts);
                switch (random.nextInt(6)) {
                    case 0 -> told.add(new Told(id, texts, blocking(append)));
                    case 1 -> told.add(new Told(id, texts, blocking(append.idempotencyKey(texts.get(0)))));
                    case 2, 3 ->
                        told.add(new Told(id, texts, here.commands.appendAsync(append.idempotencyKey(texts.get(0)))));
                    default -> told.add(new Told(id, texts, here.commands.appendAsync(append)));
                }
                if (random.nextInt(8) == 0) {
                    here.commands.flush(id);
                    List<Told> before = List.copyOf(told);
                    assertThat(before)
                            .filteredOn(one -> one.session().equals(id))
                            .allSatisfy(one -> assertThat(settled(one)).isTrue());
                }
            }
            return told;
        }

        private boolean settled(Told one) {
            try {
                one.answer()
                        .orTimeout(Bounded.SECONDS, TimeUnit.SECONDS)
                        .handle((a, b) -> a)
                        .join();
                return true;
            } catch (RuntimeException e) {
                return false;
            }
        }

        private CompletableFuture<Appended> blocking(AppendEvents append) {
            try {
                return CompletableFuture.completedFuture(here.commands.append(append));
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private void check(SessionId id, List<Told> told) {
            List<SessionEvent> log = stored(id);
            List<String> texts = log.stream().map(Course.this::text).toList();
            Set<Long> ours = new HashSet<>();
            for (Told one : told) {
                Throwable failure = one.answer().handle((result, e) -> e).join();
                if (failure == null) {
                    Appended appended = one.answer().join();
                    assertThat(log.subList((int) appended.firstSeq(), (int) appended.nextSeq()))
                            .as("what was acknowledged")
                            .isEqualTo(appended.events());
                    assertThat(appended.events()).extracting(this::text).isEqualTo(one.texts());
                    appended.events().forEach(event -> ours.add(event.seq()));
                } else if (failure instanceof OutcomeUnknownException unknown
                        && texts.contains(one.texts().get(0))) {
                    assertThat(texts.subList((int) unknown.firstSeq(), (int) unknown.nextSeq()))
                            .as("what was in doubt")
                            .containsAll(one.texts());
                    for (String text : one.texts()) {
                        ours.add((long) texts.indexOf(text));
                    }
                } else {
                    assertThat(failure)
                            .isInstanceOfAny(
                                    AppendConflictException.class,
                                    EventHandleException.class,
                                    OutcomeUnknownException.class,
                                    StoreException.class,
                                    IllegalStateException.class);
                    assertThat(texts).as("what has failed: %s", failure).doesNotContainAnyElementsOf(one.texts());
                }
            }
            assertThat(texts)
                    .filteredOn(text -> text.startsWith("t") && !text.startsWith("there"))
                    .hasSize(ours.size());
            assertThat(texts).doesNotHaveDuplicates();
            Surface folded = Surface.empty().plan(log).after();
            assertThat(here.queries.refresh(id).nodeSeqs()).isEqualTo(folded.nodeSeqs());
            assertThat(here.queries.messages(id)).isEqualTo(folded.messages());
            Awaitility.await()
                    .atMost(Duration.ofSeconds(Bounded.SECONDS))
                    .pollInterval(Duration.ofMillis(5))
                    .untilAsserted(() -> hears(id, log, ours));
        }

        /** Each event of ours once and in order; those of the other process may be among them. */
        private void hears(SessionId id, List<SessionEvent> log, Set<Long> ours) {
            List<SessionEvent> events = heard.stream()
                    .filter(one -> one.session().equals(id))
                    .map(SessionEventCommitted::event)
                    .toList();
            List<Long> seqs = events.stream().map(SessionEvent::seq).toList();
            assertThat(seqs)
                    .isSorted()
                    .doesNotHaveDuplicates()
                    .containsAll(ours)
                    .contains(log.size() - 1L);
            assertThat(log).containsAll(events);
        }

        private String text(SessionEvent event) {
            return ((UserMessage) event.payload()).message().text();
        }
    }
}
