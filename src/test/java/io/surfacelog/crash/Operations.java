package io.surfacelog.crash;

import io.surfacelog.command.AppendEvents;
import io.surfacelog.command.Appended;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.CreateSession;
import io.surfacelog.command.Drafts;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.ImportSession;
import io.surfacelog.command.SessionExistsException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionVerifier;
import io.surfacelog.store.EventRange;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Everything a session can be asked to write, one at a time, at random. What a child before this one has left behind is
 * gone on with. Used by one thread; another does the same with other sessions of its own.
 */
final class Operations {

    /** The first event of a batch, which says how many events it has. */
    static final String BATCH = "hook/batch";

    static final String SHARED = "shared";

    private interface Operation {
        void run();
    }

    private final CommandStack stack;
    private final String thread;
    private final Random random;
    private final List<GeneratedSession> generated = new ArrayList<>();
    private final List<StreamedSession> streamed = new ArrayList<>();
    private int nextNumber;
    private int nextKey;

    /** Each as often as the others; another operation is another line. */
    private final List<Operation> operations = List.of(
            this::appendOne,
            this::appendBatch,
            this::pipeline,
            this::stream,
            this::stream,
            this::streamAsync,
            this::keyed,
            this::create,
            this::importLog,
            this::recover,
            this::declare,
            this::rebuild,
            this::dropCheckpoints);

    Operations(CommandStack stack, String thread, Random random) {
        this.stack = stack;
        this.thread = thread;
        this.random = random;
        while (stack.queries.exists(id(nextNumber))) {
            nextNumber++;
        }
        for (int i = 0; i < 2; i++) {
            generated.add(new GeneratedSession(stack, createOrOpen("generated-" + thread + "-" + i), random));
            streamed.add(new StreamedSession(stack, createOrOpen("streamed-" + thread + "-" + i), random));
        }
        // the last keys of the child before may have been stored, or not
        nextKey = Math.max(0, Keyed.count(stack.store, createOrOpen(SHARED), thread) - 3);
    }

    void one() {
        operations.get(random.nextInt(operations.size())).run();
    }

    private SessionId id(int number) {
        return SessionId.of("s-" + thread + "-" + number);
    }

    private SessionId createOrOpen(String name) {
        SessionId id = SessionId.of(name);
        try {
            return stack.commands.create(SessionHeader.builder().id(id).build());
        } catch (SessionExistsException e) {
            // the other thread may be creating it just now
            stack.commands.flush(id);
            return id;
        }
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    static void acknowledge(Appended appended) {
        Programme.acknowledge(Acknowledgement.of(appended.session(), appended.nextSeq(), appended.events()));
    }

    private void appendOne() {
        GeneratedSession session = any(generated);
        acknowledge(stack.commands.appendAll(session.id(), Drafts.of(session.next(1))));
    }

    private void appendBatch() {
        GeneratedSession session = any(generated);
        acknowledge(stack.commands.appendAll(session.id(), session.batch(2 + random.nextInt(20))));
    }

    private void pipeline() {
        GeneratedSession session = any(generated);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = random.nextInt(30); i >= 0; i--) {
            List<EventDraft> drafts =
                    random.nextInt(3) == 0 ? session.batch(2 + random.nextInt(5)) : Drafts.of(session.next(1));
            all.add(stack.commands.appendAllAsync(session.id(), drafts).thenAccept(Operations::acknowledge));
        }
        all.forEach(CompletableFuture::join);
    }

    private void stream() {
        any(streamed).turn(random.nextInt(60), false);
    }

    private void streamAsync() {
        any(streamed).turn(random.nextInt(200), true);
    }

    private void keyed() {
        Appended appended =
                stack.commands.append(AppendEvents.to(SessionId.of(SHARED), List.of(Keyed.draft(thread, nextKey)))
                        .idempotencyKey(Keyed.key(thread, nextKey)));
        nextKey++;
        acknowledge(appended);
    }

    private List<EventCandidate> log(int atMost) {
        List<SessionEvent> log = SessionGenerator.any(random.nextLong()).log(random.nextInt(atMost));
        return log.stream().map(EventCandidate::of).toList();
    }

    private SessionHeader newHeader() {
        return SessionHeader.builder().id(id(nextNumber++)).build();
    }

    private void create() {
        acknowledge(stack.commands.create(CreateSession.seeded(newHeader(), log(60))));
    }

    private void importLog() {
        SessionHeader header = newHeader();
        stack.commands.importLog(new ImportSession(header, log(400).iterator(), EventTypes.standard()));
        List<SessionEvent> events = stack.store.events(header.id(), EventRange.all());
        Programme.acknowledge(Acknowledgement.of(header.id(), events.size(), events));
    }

    private void recover() {
        if (random.nextBoolean()) {
            any(generated).recover();
        } else if (nextNumber > 0) {
            acknowledge(stack.commands.recover(id(random.nextInt(nextNumber))));
        }
    }

    private void declare() {
        String type = "app/" + thread + "-" + random.nextInt(1_000);
        stack.store.declare(Set.of(type));
        Programme.say("declared " + type);
    }

    private void rebuild() {
        SessionId id = any(generated).id();
        new SessionVerifier(stack.store, stack.projection).rebuild(id);
    }

    private void dropCheckpoints() {
        stack.store.dropCheckpoints(any(streamed).id());
    }

    /** The event that says how large a batch is, itself included. */
    static EventDraft batchOf(int events) {
        return EventDraft.untyped(
                OpaquePayload.of(
                        BATCH, JsonObject.builder().put("of", Json.of(events)).build()),
                null);
    }
}
