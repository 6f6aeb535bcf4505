package io.surfacelog.command;

import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.store.EventStore;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Sees to it that the store has every type on record before an event of it is stored: otherwise nobody could load what
 * was accepted. Safe for use by several threads.
 */
final class DeclaredTypes {

    private final EventStore store;
    private volatile Set<String> recorded;

    DeclaredTypes(EventStore store, EventTypes types) {
        this.store = store;
        if (!types.added().isEmpty()) {
            store.declare(types.added());
        }
        this.recorded = store.declaredTypes();
    }

    /** Records these types as declared, unless they are. Cost: a commit for new types. */
    void declare(Set<String> types) {
        if (!recorded.containsAll(types)) {
            store.declare(types);
            recorded = store.declaredTypes();
        }
    }

    /** Records the types of these admitted events, unless they are. Cost: O(events), and a commit for new types. */
    void declareThoseOf(List<SessionEvent> events) {
        Set<String> missing = new TreeSet<>();
        for (SessionEvent event : events) {
            String type = event.type();
            if (!event.ignorable() && !EventTypes.isStandard(type) && !recorded.contains(type)) {
                missing.add(type);
            }
        }
        declare(missing);
    }
}
