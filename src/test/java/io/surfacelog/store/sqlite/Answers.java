package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.StoreException;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.UnknownSessionException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Everything a {@link SmallStore} answers, to be compared with what it answers after damage. Of each question there are
 * three good outcomes: the same answer; an exception that says what is damaged; nothing at all where something was looked
 * up, which a verification must then explain.
 */
final class Answers {

    /** What was found out about a damaged store. */
    record Verdict(List<String> wrong, boolean reported, boolean missing) {}

    /** A question and its answer, a list, so that "less than before" can be told from "something else". */
    private record Question(String name, boolean mayMiss, Supplier<List<?>> answer) {}

    private final List<Question> questions = new ArrayList<>();

    private final EventStore store;

    Answers(EventStore store) {
        this.store = store;
        for (SessionId id : List.of(SmallStore.PLAIN, SmallStore.ODD, SmallStore.FORK, SmallStore.ORPHAN)) {
            lookUp(
                    "find " + id,
                    () -> store.find(id).stream().map(Answers::words).toList());
            lookUp(
                    "key of " + id,
                    () -> Stream.of(SmallStore.KEY, SmallStore.ODD_KEY)
                            .flatMap(key -> store.keyed(id, key).stream())
                            .toList());
            lookUp(
                    "leases of " + id,
                    () -> Stream.of(LeasePurpose.values())
                            .flatMap(purpose -> store.lease(id, purpose).stream())
                            .toList());
            for (EventRange.Kind kind : EventRange.Kind.values()) {
                EventRange all = EventRange.all().kind(kind);
                ask(kind + " events of " + id, () -> events(store.events(id, all)));
                ask(kind + " events from 1 of " + id, () -> events(store.events(id, all.from(1))));
            }
            ask("pages of " + id, () -> {
                List<SessionEvent> visited = new ArrayList<>();
                store.forEach(id, EventRange.all(), visited::add);
                return events(visited);
            });
        }
        lookUp(
                "find b",
                () -> store.find(SmallStore.THIRD).stream().map(Answers::words).toList());
        ask("events of b", () -> events(store.events(SmallStore.THIRD, EventRange.all())));
        lookUp(
                "checkpoint of b",
                () -> store.checkpoint(SmallStore.THIRD).stream().toList());
        lookUp("list", () -> sessions(SessionFilter.all()));
        lookUp("list of children", () -> sessions(SessionFilter.all().childrenOf("a")));
        lookUp("subscription", () -> store.subscription("n").stream().toList());
        lookUp("commits of a", () -> store.commits(SmallStore.PLAIN, 0, 100));
        lookUp("commits", () -> store.commits(0, 100));
        lookUp(
                "last commit",
                () -> LongStream.rangeClosed(1, store.lastPosition()).boxed().toList());
        ask("types", () -> List.copyOf(store.declaredTypes()));
        ask("store", () -> List.of(store.info().storeId()));
    }

    /** A question to which there is one answer. */
    private void ask(String name, Supplier<List<?>> answer) {
        questions.add(new Question(name, false, answer));
    }

    /** A question of which part of the answer may be missing: what was looked up, or stands at the end. */
    private void lookUp(String name, Supplier<List<?>> answer) {
        questions.add(new Question(name, true, answer));
    }

    private static List<String> events(List<SessionEvent> events) {
        return events.stream().map(SessionEvent::toText).toList();
    }

    private List<String> sessions(SessionFilter filter) {
        return store.list(filter).sessions().stream().map(Answers::words).toList();
    }

    private static String words(StoredSession session) {
        return session.header() + " " + session.nextSeq() + " " + session.surfaceEvents() + " " + session.ordinal();
    }

    List<List<?>> all() {
        return questions.stream()
                .<List<?>>map(question -> question.answer().get())
                .toList();
    }

    /** Asks everything again; anything but the good outcomes is wrong. */
    Verdict compareWith(List<List<?>> expected) {
        List<String> wrong = new ArrayList<>();
        boolean reported = false;
        boolean missing = false;
        for (int i = 0; i < questions.size(); i++) {
            Question question = questions.get(i);
            try {
                List<?> answer = question.answer().get();
                if (!answer.equals(expected.get(i))) {
                    missing = true;
                    if (!question.mayMiss() || !expected.get(i).containsAll(answer)) {
                        wrong.add(question.name() + ": expected " + expected.get(i) + ", found " + answer);
                    }
                }
            } catch (UnknownSessionException e) {
                missing = true;
            } catch (StoreException e) {
                reported = true;
            } catch (RuntimeException e) {
                wrong.add(question.name() + ": " + e);
            }
        }
        return new Verdict(wrong, reported, missing);
    }

    /** What the verifications say; that a session is unknown is no finding. */
    List<StoreFault> verification() {
        List<StoreFault> faults = new ArrayList<>(store.verifyShared());
        for (SessionId id :
                List.of(SmallStore.PLAIN, SmallStore.ODD, SmallStore.THIRD, SmallStore.FORK, SmallStore.ORPHAN)) {
            faults.addAll(verification(id));
        }
        return faults;
    }

    private List<StoreFault> verification(SessionId id) {
        try {
            return store.verify(id);
        } catch (UnknownSessionException e) {
            return List.of();
        }
    }
}
