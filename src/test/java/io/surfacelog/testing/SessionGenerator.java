package io.surfacelog.testing;

import io.surfacelog.event.CompactionEnd;
import io.surfacelog.event.CompactionPrune;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.RequestContext;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.SessionEndSeed;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TodoWrite;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.TurnStart;
import io.surfacelog.surface.Surface;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Makes random logs that are always admissible: turns and steps with streams, parallel tool runs, replaces of every kind,
 * compactions, odd values. One seed gives one log.
 *
 * <pre>{@code
 * List<SessionEvent> log = SessionGenerator.structured(17).log();
 * SessionEvent more = SessionGenerator.wild(17).next(surface); // one at a time, on the surface as it is
 * }</pre>
 *
 * <p>A structured log has no findings; a wild one keeps to admission only. Either may end anywhere, in open turns too.
 * What {@link #next} yields must be applied, and what others add must be {@linkplain #observe observed}, before the next
 * is asked for.
 */
public final class SessionGenerator {

    private final SplittableRandom random;
    private final OddValues odd;
    private final MessageDrafts messages;
    private final ReplaceDrafts replaces;
    private final CompactionDrafts compactions;
    private final boolean structured;
    private final SessionCourse course = new SessionCourse();
    private long time;

    private SessionGenerator(long seed, boolean structured) {
        this.random = new SplittableRandom(seed);
        this.odd = new OddValues(random);
        this.messages = new MessageDrafts(random, odd);
        this.replaces = new ReplaceDrafts(random, odd, messages);
        this.compactions = new CompactionDrafts(random, odd, messages, replaces);
        this.structured = structured;
        this.time =
                random.nextInt(4) == 0 ? -random.nextLong(1L << 40) : 1_700_000_000_000L + random.nextLong(1L << 30);
    }

    /** Logs in which turns, steps, calls and brackets are well formed. */
    public static SessionGenerator structured(long seed) {
        return new SessionGenerator(seed, true);
    }

    /** Logs in which only admission holds. */
    public static SessionGenerator wild(long seed) {
        return new SessionGenerator(seed, false);
    }

    /** Structured for even seeds, wild for odd ones. */
    public static SessionGenerator any(long seed) {
        return new SessionGenerator(seed, seed % 2 == 0);
    }

    /** A log of up to 120 events. */
    public List<SessionEvent> log() {
        return log(random.nextInt(120));
    }

    /** A log of this many events. */
    public List<SessionEvent> log(int events) {
        Surface surface = Surface.empty();
        List<SessionEvent> log = new ArrayList<>(events);
        while (log.size() < events) {
            SessionEvent event = next(surface);
            surface = surface.plan(List.of(event)).after();
            log.add(event);
        }
        return log;
    }

    /** The next event of the log that this surface is the fold of. */
    public SessionEvent next(Surface current) {
        if (current.nextSeq() != course.nextSeq) {
            throw new IllegalStateException("expected to have seen all " + current.nextSeq() + " events, found "
                    + course.nextSeq + ": hand those of others to observe()");
        }
        time += switch (random.nextInt(12)) {
            case 0 -> -random.nextInt(5000);
            case 1 -> random.nextLong(1L << 33);
            default -> random.nextInt(400);
        };
        SessionEvent event = draft(current).at(current.nextSeq(), time);
        course.observe(event);
        return event;
    }

    /** Takes note of an event that did not come from here, such as a closer. */
    public void observe(SessionEvent event) {
        course.observe(event);
    }

    private Draft draft(Surface surface) {
        Optional<Draft> inCompaction = compactions.next(course, surface, structured);
        if (inCompaction.isPresent()) {
            return inCompaction.get();
        }
        int die = random.nextInt(100);
        if (die < 12) {
            return replace(surface).orElseGet(() -> messages.user(SurfaceIntent.append()));
        }
        if (die < 24) {
            return anywhere(surface);
        }
        if (!structured && die < 40) {
            return disorder();
        }
        if (!course.turnOpen) {
            return die < 50 ? messages.user(SurfaceIntent.append()) : Draft.of(TurnStart.of(course.turn + 1));
        }
        return course.stepOpen ? inStep(die) : inTurn(die);
    }

    private Optional<Draft> replace(Surface surface) {
        return switch (random.nextInt(4)) {
            case 0 -> replaces.rewrite(surface);
            case 1 -> replaces.assistantCopy(surface);
            default -> replaces.ofRange(surface, course.turn, course.step, structured);
        };
    }

    /** What may stand anywhere, also in a structured log. */
    private Draft anywhere(Surface surface) {
        Supplier<Json> extra = odd::value;
        return switch (random.nextInt(14)) {
            case 0 -> requestHeader();
            case 1 ->
                Draft.of(RequestContext.of(
                        odd.name("acme"), odd.name("m-1"), random.nextBoolean() ? random.nextLong(1 << 20) : null));
            case 2 -> opaque(EventType.REQUEST_CONTEXT, extra.get());
            case 3 ->
                Draft.of(TodoWrite.of(List.of(
                        new TodoWrite.Todo(odd.text(), "pending"), new TodoWrite.Todo(odd.text(), "completed"))));
            case 4 -> opaque("x/" + odd.text(), extra.get()).asIgnorable();
            case 5 -> opaque("hook/" + odd.name("result"), extra.get());
            case 6 -> opaque(EventType.LLM_RETRY, odd.object());
            case 7 -> opaque(EventType.TODO_WRITE, extra.get()).asIgnorable();
            case 8 -> surface.nodes().isEmpty() ? Draft.of(SessionEndSeed.of()) : Draft.of(prune(surface));
            case 9 -> random.nextInt(3) == 0 ? Draft.of(SessionEndSeed.of()) : compactions.start(course);
            case 10 -> compactions.start(course);
            default -> messages.user(SurfaceIntent.append());
        };
    }

    private static Draft opaque(String type, Json data) {
        return Draft.of(OpaquePayload.of(type, data));
    }

    private Draft requestHeader() {
        Draft draft = Draft.of(RequestHeader.of(
                odd.name("acme"), odd.name("m-1"), random.nextBoolean() ? odd.text() : null, RequestHeader.CHANGE));
        return random.nextInt(3) == 0 ? draft.with("x", odd.value()) : draft;
    }

    private CompactionPrune prune(Surface surface) {
        return CompactionPrune.of(compactions.shadowed(
                surface,
                new ReplaceDrafts.Range(0, random.nextInt(surface.nodes().size()))));
    }

    private Draft inTurn(int die) {
        return die < 85
                ? Draft.of(StepStart.of(course.turn, course.step + 1))
                : Draft.of(TurnEnd.of(course.turn, reason()));
    }

    private TurnEndReason reason() {
        return switch (random.nextInt(8)) {
            case 0 -> TurnEndReason.aborted("user");
            case 1 -> TurnEndReason.abortedByHook(odd.text());
            case 2 -> TurnEndReason.error(odd.text(), "E", random.nextBoolean() ? 529 : null);
            case 3 -> TurnEndReason.maxTokens();
            case 4 -> TurnEndReason.ofKind(odd.text());
            default -> TurnEndReason.completed();
        };
    }

    private Draft inStep(int die) {
        long turn = course.turn;
        long step = course.step;
        if (!course.waiting.isEmpty()) {
            SessionCourse.Waiting call = course.waiting.get(random.nextInt(course.waiting.size()));
            boolean starts = !call.started() && die < 75;
            // two calls of one id are started and answered in their order, whichever was picked
            return starts
                    ? messages.toolCall(turn, step, call.call())
                    : messages.toolResult(turn, step, call.call().id(), SurfaceIntent.append());
        }
        boolean answered = !course.idsOfStep.isEmpty();
        if (answered ? die < 80 : die < 45 && course.chunks.size() > 2) {
            return Draft.of(StepEnd.of(turn, step));
        }
        if (die < 75) {
            return messages.chunk(turn, step, List.of());
        }
        return messages.assistant(turn, step, newCalls(), messages.streamed(course.chunks));
    }

    private List<ToolCallBlock> newCalls() {
        List<ToolCallBlock> calls = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            String id = odd.name("call-" + random.nextInt(6));
            boolean fresh = !course.idsOfStep.contains(id)
                    && calls.stream().noneMatch(call -> call.id().equals(id));
            if (fresh || !structured) {
                calls.add(messages.call(random.nextInt(20) == 0 && !structured ? "" : id));
            }
        }
        return calls;
    }

    /** What admission lets pass and structure does not. */
    private Draft disorder() {
        long turn = random.nextInt(3) == 0 ? random.nextLong(1, 5) : Math.max(1, course.turn);
        long step = random.nextInt(3) == 0 ? random.nextLong(1, 5) : Math.max(1, course.step);
        String id = "call-" + random.nextInt(6);
        Draft draft = switch (random.nextInt(12)) {
            case 0 -> Draft.of(TurnStart.of(turn));
            case 1 -> Draft.of(TurnEnd.of(turn, reason()));
            case 2 -> Draft.of(StepStart.of(turn, step));
            case 3 -> Draft.of(StepEnd.of(turn, step));
            case 4 -> opaque(EventType.ASSISTANT_CHUNK, odd.value());
            case 5 -> messages.chunk(turn, step, newCalls());
            case 6, 7 -> messages.assistant(turn, step, newCalls(), SurfaceIntent.append());
            case 8 -> messages.toolCall(turn, step, messages.call(random.nextInt(20) == 0 ? "" : id));
            case 9 -> Draft.of(CompactionEnd.of("c" + random.nextInt(9), null, odd.value()));
            default -> messages.toolResult(turn, step, id, SurfaceIntent.append());
        };
        return misplaced(draft);
    }

    /** Producers are free not to record turn and step, or to record nonsense, where admission does not look at them. */
    private Draft misplaced(Draft draft) {
        boolean free = switch (draft.type()) {
            case EventType.ASSISTANT_MESSAGE, EventType.TOOL_CALL, EventType.TOOL_RESULT -> true;
            default -> false;
        };
        if (!free) {
            return draft;
        }
        return switch (random.nextInt(8)) {
            case 0 -> draft.without("turn");
            case 1 -> draft.without("turn").without("step");
            case 2 -> draft.with("step", odd.value());
            case 3 -> draft.with("turn", Json.of(-random.nextInt(3)));
            default -> draft;
        };
    }
}
