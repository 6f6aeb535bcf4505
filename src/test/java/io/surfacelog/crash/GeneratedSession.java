package io.surfacelog.crash;

import io.surfacelog.command.Appended;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.Drafts;
import io.surfacelog.command.EventDraft;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A session with everything that a generated log has, written bit by bit; nobody else may write to it. */
final class GeneratedSession {

    private final CommandStack stack;
    private final SessionId id;
    private final SessionGenerator generator;

    /** The fold of all that was asked for, stored or on its way. */
    private Surface surface;

    GeneratedSession(CommandStack stack, SessionId id, Random random) {
        this.stack = stack;
        this.id = id;
        this.generator = SessionGenerator.any(random.nextLong());
        this.surface = stack.queries.surface(id);
        stack.store.forEach(id, EventRange.all(), generator::observe);
    }

    SessionId id() {
        return id;
    }

    List<SessionEvent> next(int count) {
        List<SessionEvent> events = new ArrayList<>();
        while (events.size() < count) {
            SessionEvent event = generator.next(surface);
            surface = surface.plan(List.of(event)).after();
            events.add(event);
        }
        return events;
    }

    /** A batch of this many events, the first of which says so. */
    List<EventDraft> batch(int count) {
        EventDraft first = Operations.batchOf(count);
        observe(first.toEvent(surface.nextSeq(), 0));
        List<EventDraft> batch = new ArrayList<>(List.of(first));
        batch.addAll(Drafts.of(next(count - 1)));
        return batch;
    }

    void recover() {
        Appended closers = stack.commands.recover(id);
        closers.events().forEach(this::observe);
        Operations.acknowledge(closers);
    }

    private void observe(SessionEvent event) {
        generator.observe(event);
        surface = surface.plan(List.of(event)).after();
    }
}
