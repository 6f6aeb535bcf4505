package io.surfacelog.event;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The declared event types: those of the format, which every reader knows, and the log-only types an application or an
 * import has added. An event of any other type is refused unless it is ignorable. Immutable.
 *
 * <pre>{@code
 * EventTypes types = EventTypes.standard().with(List.of("billing/cost"));
 * types.isDeclared("billing/cost"); // true
 * }</pre>
 */
public final class EventTypes {

    private static final Set<String> KNOWN = Set.of(
            EventType.TURN_START,
            EventType.TURN_END,
            EventType.STEP_START,
            EventType.STEP_END,
            EventType.USER_MESSAGE,
            EventType.CONTEXT_MESSAGE,
            EventType.STEERING_MESSAGE,
            EventType.ASSISTANT_CHUNK,
            EventType.ASSISTANT_MESSAGE,
            EventType.TOOL_CALL,
            EventType.TOOL_RESULT,
            EventType.TODO_WRITE,
            EventType.REQUEST_HEADER,
            EventType.REQUEST_CONTEXT,
            EventType.SESSION_END_SEED,
            EventType.COMPACTION_START,
            EventType.COMPACTION_SUMMARY,
            EventType.COMPACTION_PRUNE,
            EventType.COMPACTION_END,
            EventType.LLM_RETRY,
            "agent/inbox/spliced",
            "agent-preset/selected",
            "feedback/record",
            "goal/change",
            "llm/retry-started",
            "permission/preset",
            "plan/mode",
            "sandbox/mode",
            "schedule/change",
            "session/title",
            "session/title-llm-request",
            "subagent/descriptor",
            "tool/code-dispatch",
            "tool/code-dispatch-start",
            "web/deepseek-search-llm-request");

    private static final Map<String, String> CANONICAL =
            KNOWN.stream().collect(Collectors.toUnmodifiableMap(type -> type, type -> type));

    /** Scopes of which every type is declared. */
    private static final Set<String> KNOWN_SCOPES = Set.of("approval", "command", "hook", "team", "tool-workflow");

    private static final EventTypes STANDARD = new EventTypes(Collections.emptySet(), false);
    private static final EventTypes ANY = new EventTypes(Collections.emptySet(), true);

    private final Set<String> added;
    private final boolean open;

    private EventTypes(Set<String> added, boolean open) {
        this.added = added;
        this.open = open;
    }

    /** The types of the format, and no others. */
    public static EventTypes standard() {
        return STANDARD;
    }

    /** The types of the format and, as log-only ones, all others: for reading what declares nothing. */
    public static EventTypes any() {
        return ANY;
    }

    /** These types and, as log-only ones, the given ones. */
    public EventTypes with(Collection<String> types) {
        Set<String> all = new TreeSet<>(added);
        for (String type : types) {
            if (type.isEmpty()) {
                throw new IllegalArgumentException("an event type must not be empty");
            }
            if (!isStandard(type)) {
                all.add(type);
            }
        }
        return all.size() == added.size() ? this : new EventTypes(Collections.unmodifiableSet(all), open);
    }

    /** The log-only types that were added to those of the format, sorted. */
    public Set<String> added() {
        return added;
    }

    public boolean isDeclared(String type) {
        return open || isStandard(type) || added.contains(type);
    }

    /** The same text as one of the format's own constants where it is one, so that comparing types costs nothing. */
    static String canonical(String type) {
        return CANONICAL.getOrDefault(type, type);
    }

    /** Whether the format itself declares the type. */
    public static boolean isStandard(String type) {
        if (KNOWN.contains(type)) {
            return true;
        }
        int slash = type.indexOf('/');
        return slash > 0 && slash < type.length() - 1 && KNOWN_SCOPES.contains(type.substring(0, slash));
    }
}
