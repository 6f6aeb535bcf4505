package io.surfacelog.compaction;

import io.surfacelog.command.CommandStack;
import io.surfacelog.command.StoreSuite;
import io.surfacelog.event.CompactionEnd;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.StoredSession;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A suite of compactions. After each test no log has a finding, every request is valid, and what is hidden is cited. */
abstract class CompactionSuite extends StoreSuite {

    CommandStack stack;
    SessionId id;
    private final List<Compactions> made = new ArrayList<>();

    @BeforeEach
    void startStack() {
        stack = start();
        id = stack.commands.create(header("talk"));
    }

    @AfterEach
    void everyConversationIsWhole() {
        made.forEach(Compactions::close);
        for (StoredSession session : store().list(SessionFilter.all()).sessions()) {
            stack.queries.refresh(session.id());
            WholeConversation.expect(stack.queries, session.id());
        }
    }

    final Compactions compactions(Summarizer summarizer) {
        return compactions(stack, summarizer, CompactionSettings.defaults());
    }

    final Compactions compactions(CommandStack process, Summarizer summarizer, CompactionSettings settings) {
        Compactions compactions = Compactions.of(process.commands, process.queries, summarizer, settings);
        made.add(compactions);
        return compactions;
    }

    /** A summarizer that says this, whatever it is asked. */
    static Summarizer saying(String text) {
        return request -> Summary.of(text, "test", "fixed");
    }

    final Conversation conversation(int turns) {
        return new Conversation(stack.commands, id).turns(turns);
    }

    static List<SessionEvent> events(EventStore store, SessionId id) {
        return store.events(id, EventRange.all());
    }

    final List<String> typesFrom(long seq) {
        return stored(id).stream()
                .filter(event -> event.seq() >= seq)
                .map(SessionEvent::type)
                .toList();
    }

    /** How compactions ended, in order: {@code ok} or the code of the error. */
    final List<String> ends() {
        return stored(id).stream()
                .filter(event -> event.type().equals(EventType.COMPACTION_END))
                .map(event -> (CompactionEnd) event.payload())
                .map(end -> end.error() instanceof io.surfacelog.event.JsonObject error
                        ? error.string("code").orElseThrow()
                        : end.error() == null ? "ok" : "other")
                .toList();
    }
}
