package io.surfacelog.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.AppendEvents;
import io.surfacelog.command.Appended;
import io.surfacelog.command.CommandException;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.CreateSession;
import io.surfacelog.command.Drafts;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.ImportSession;
import io.surfacelog.command.OutcomeUnknownException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.projection.SessionVerifier;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreException;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.store.sqlite.FaultyConnections.Fault;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceCheckpoint;
import io.surfacelog.testing.LogBuilder;
import io.surfacelog.testing.SessionGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever SQLite is asked for in a scenario fails once, or for good: what is live stays what is stored, what was answered
 * is what is stored, and the next append works.
 */
class FaultInjectionTest {

    private static final SessionId A = SessionId.of("a");
    private static final SessionId B = SessionId.of("b");
    private static final SessionId SEEDED = SessionId.of("seeded");
    private static final SessionId IMPORTED = SessionId.of("imported");
    private static final List<SessionId> ALL = List.of(A, B, SEEDED, IMPORTED);
    private static final List<SessionEvent> LOG = SessionGenerator.structured(4).log(30);

    @TempDir
    private Path directory;

    private final FaultyConnections connections = new FaultyConnections();
    private byte[] empty = {};

    /** What was answered: events that are stored, and texts that are not. */
    private final List<Appended> stored = new ArrayList<>();

    private final List<String> refused = new ArrayList<>();

    @BeforeEach
    void makeEmptyStore() throws IOException {
        Path file = directory.resolve("empty.db");
        SqliteEventStore.open(SqliteSettings.at(file)).close();
        empty = Files.readAllBytes(file);
    }

    private interface Write {
        Appended run();
    }

    /** One write, under a text that no other one has. */
    private void write(String text, Write write) {
        try {
            stored.add(write.run());
        } catch (RuntimeException e) {
            RuntimeException cause = e instanceof CompletionException done ? (RuntimeException) done.getCause() : e;
            assertThat(cause).isInstanceOfAny(StoreException.class, CommandException.class);
            if (!(cause instanceof OutcomeUnknownException)) {
                refused.add(text);
            }
        }
    }

    private void append(CommandStack stack, SessionId id, EventDraft... drafts) {
        write(text(drafts[0]), () -> stack.commands.appendAll(id, List.of(drafts)));
    }

    private static String text(EventDraft draft) {
        return text(draft.toEvent(0, 0));
    }

    private static String text(SessionEvent event) {
        return event.type() + " " + event.data().text();
    }

    private void scenario(CommandStack stack) {
        write("a", () -> stack.commands.create(CreateSession.empty(header(A))));
        write("b", () -> stack.commands.create(CreateSession.empty(header(B))));
        write("seeded", () -> stack.commands.create(CreateSession.seeded(header(SEEDED), candidates())));
        LogBuilder turn = LogBuilder.log().turnStart(1).user("question").stepStart(1);
        for (int i = 0; i < 4; i++) {
            turn.chunk(StreamChunk.text(0, "chunk " + i));
        }
        // the commit of the message packs the chunks again
        turn.assistant(LogBuilder.text("answer")).stepEnd().turnEnd();
        Drafts.of(turn.events()).forEach(draft -> append(stack, A, draft));
        group(stack);
        append(stack, B, Drafts.say("x"), Drafts.say("y"));
        write(
                text(Drafts.say("instead")),
                () -> stack.commands.appendAll(
                        B,
                        next -> List.of(
                                Drafts.say("before " + next),
                                EventDraft.of(
                                        LogBuilder.userMessage("instead"),
                                        SurfaceIntent.replace(next, next).citing(next)))));
        for (int i = 0; i < 2; i++) {
            // the second one finds the key, or does what the first could not
            write(
                    "keyed append",
                    () -> stack.commands.append(
                            AppendEvents.to(A, List.of(Drafts.say("keyed"))).idempotencyKey("k")));
        }
        checkpoint(stack);
        importLog(stack);
        append(stack, A, Drafts.say("last"));
    }

    private void group(CommandStack stack) {
        List<CompletableFuture<Appended>> all = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            EventDraft draft = Drafts.say("group " + i);
            texts.add(text(draft));
            CompletableFuture<Appended> one;
            try {
                one = stack.commands.appendAllAsync(i % 2 == 0 ? A : B, List.of(draft));
            } catch (RuntimeException e) {
                one = CompletableFuture.failedFuture(e);
            }
            all.add(one);
        }
        for (int i = 0; i < all.size(); i++) {
            CompletableFuture<Appended> one = all.get(i);
            write(texts.get(i), one::join);
        }
    }

    private void checkpoint(CommandStack stack) {
        try {
            stack.store.declare(Set.of("x/declared"));
            new SessionVerifier(stack.store, stack.projection).rebuild(A);
        } catch (UnknownSessionException e) {
            assertThat(refused).contains(A.value());
        } catch (StoreException e) {
            assertThat(e).hasMessageContaining("injected");
        }
    }

    private void importLog(CommandStack stack) {
        write("imported", () -> {
            long events = stack.commands
                    .importLog(new ImportSession(header(IMPORTED), candidates().iterator(), EventTypes.standard()))
                    .events();
            return new Appended(IMPORTED, LOG, events, false);
        });
    }

    private static SessionHeader header(SessionId id) {
        return SessionHeader.builder().id(id).createdAt(1).build();
    }

    private static List<EventCandidate> candidates() {
        return LOG.stream().map(EventCandidate::of).toList();
    }

    /** Runs the scenario with a fault; says whether it came to that. */
    private boolean run(int n, Fault fault, boolean ofCommits) throws IOException {
        stored.clear();
        refused.clear();
        Path file = Files.write(directory.resolve("store.db"), empty);
        Files.deleteIfExists(directory.resolve("store.db-wal"));
        Files.deleteIfExists(directory.resolve("store.db-shm"));
        SqliteSettings settings = SqliteSettings.at(file)
                .synchronous(SqliteSettings.Synchronous.NORMAL)
                .readConnections(1);
        boolean failed;
        try (EventStore store = SqliteEventStore.open(settings, connections::wire);
                CommandStack stack = CommandStack.on(store)
                        .structure(StructureMode.REPORT)
                        .checkpointsEvery(8)
                        .start()) {
            connections.failAt(n, fault, ofCommits);
            scenario(stack);
            failed = connections.heal();
            try (EventStore fresh = SqliteEventStore.open(settings)) {
                compare(stack, fresh);
                assertThat(ALL)
                        .noneMatch(id ->
                                refused.contains(id.value()) && fresh.find(id).isPresent());
                theNextAppendWorks(stack, fresh);
                compare(stack, fresh);
            }
        }
        return failed;
    }

    private static void theNextAppendWorks(CommandStack stack, EventStore fresh) {
        for (SessionId id : ALL) {
            long tail = fresh.find(id).isEmpty()
                    ? stack.commands.create(CreateSession.empty(header(id))).nextSeq()
                    : fresh.find(id).orElseThrow().nextSeq();
            assertThat(stack.commands.appendAll(id, List.of(Drafts.say("next"))).seq())
                    .isEqualTo(tail);
        }
    }

    private void compare(CommandStack stack, EventStore fresh) {
        assertThat(fresh.verifyShared()).isEmpty();
        StringBuilder texts = new StringBuilder();
        for (SessionId id : ALL) {
            boolean exists = fresh.find(id).isPresent();
            assertThat(stack.queries.exists(id)).isEqualTo(exists);
            if (!exists) {
                continue;
            }
            assertThat(fresh.verify(id)).isEmpty();
            List<SessionEvent> log = fresh.events(id, EventRange.all());
            if (id.equals(A) || id.equals(B)) {
                log.forEach(event -> texts.append(text(event)).append('\n'));
            }
            assertThat(stack.store.events(id, EventRange.all())).isEqualTo(log);
            Surface folded = Surface.empty().plan(log).after();
            Surface live = stack.queries.surface(id);
            assertThat(SurfaceCheckpoint.of(live).bytes())
                    .isEqualTo(SurfaceCheckpoint.of(folded).bytes());
            assertThat(live.messages()).isEqualTo(folded.messages());
            assertThat(new SessionVerifier(stack.store, stack.projection)
                            .verify(id)
                            .faults())
                    .isEmpty();
        }
        for (Appended one : stored) {
            assertThat(fresh.events(one.session(), EventRange.of(one.firstSeq(), one.nextSeq())))
                    .isEqualTo(one.events());
        }
        List<String> all = List.of(texts.toString().split("\n", -1));
        assertThat(all).noneMatch(refused::contains);
        assertThat(all.stream().filter(text(Drafts.say("keyed"))::equals)).hasSizeLessThan(2);
    }

    private void runAll(Fault fault, boolean ofCommits, int stride) throws IOException {
        int n = 0;
        try {
            while (run(n, fault, ofCommits)) {
                n += stride;
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("fault " + fault + " of number " + n + (ofCommits ? " of commits" : ""), e);
        }
        assertThat(n).isGreaterThan(10);
    }

    /** What fails for good is waited for again and again, by each write of the rest of the scenario. */
    private static int stride(Fault fault, int ofThoseForGood) {
        return fault.isForGood() ? ofThoseForGood : 1;
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void of_any_commit_leaves_what_is_live_equal_to_what_is_stored(Fault fault) throws IOException {
        runAll(fault, true, stride(fault, 6));
    }

    @Test
    void of_every_eleventh_statement_leaves_what_is_live_equal_to_what_is_stored() throws IOException {
        runAll(Fault.BEFORE, false, 11);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    @Tag("slow")
    void of_any_statement_leaves_what_is_live_equal_to_what_is_stored(Fault fault) throws IOException {
        runAll(fault, false, stride(fault, 13));
    }
}
