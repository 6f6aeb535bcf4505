package io.surfacelog.surface;

import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.Message;
import io.surfacelog.event.RequestContext;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.SessionEvent;
import java.util.AbstractList;
import java.util.List;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the model sees of one session after so many events: the pure fold of a log. A surface is a value; planning events
 * on it checks them (admission) and gives the surface they would lead to, and changes nothing.
 *
 * <pre>{@code
 * SurfaceChange first = Surface.empty().plan(List.of(event0, event1));
 * SurfaceChange second = first.after().plan(List.of(event2)); // chained, before the first is committed
 * List<Message> messages = second.after().messages();
 * }</pre>
 *
 * <p>Successive surfaces share their memory. Planning an event costs O(1), a replace O(the surface behind its start);
 * every view is immutable and costs O(1). Safe for use by several threads.
 */
public final class Surface {

    private static final Surface EMPTY = new Surface(
            0,
            0,
            0,
            0,
            PersistentList.empty(),
            PersistentList.empty(),
            TurnState.NONE,
            StructureState.NONE,
            null,
            null);

    private final long nextSeq;
    private final long lastTime;
    private final long generation;
    private final long textLength;
    private final PersistentList<SurfaceNode> nodes;
    private final PersistentList<SurfaceNode> speaking;
    private final TurnState turns;
    private final StructureState structure;
    private final @Nullable SessionEvent requestHeader;
    private final @Nullable SessionEvent requestContext;

    Surface(
            long nextSeq,
            long lastTime,
            long generation,
            long textLength,
            PersistentList<SurfaceNode> nodes,
            PersistentList<SurfaceNode> speaking,
            TurnState turns,
            StructureState structure,
            @Nullable SessionEvent requestHeader,
            @Nullable SessionEvent requestContext) {
        this.nextSeq = nextSeq;
        this.lastTime = lastTime;
        this.generation = generation;
        this.textLength = textLength;
        this.nodes = nodes;
        this.speaking = speaking;
        this.turns = turns;
        this.structure = structure;
        this.requestHeader = requestHeader;
        this.requestContext = requestContext;
    }

    /** The surface of an empty log. */
    public static Surface empty() {
        return EMPTY;
    }

    /**
     * Plans events in order, by the standard rules.
     *
     * @throws io.surfacelog.event.AdmissionException if one is refused; nothing is changed
     */
    public SurfaceChange plan(List<SessionEvent> events) {
        SurfacePlanner planner = new SurfacePlanner(this, SurfaceRules.standard());
        events.forEach(event -> planner.add(EventCandidate.of(event)));
        return planner.change();
    }

    /**
     * Plans candidates in order.
     *
     * @throws io.surfacelog.event.AdmissionException if one is refused; nothing is changed
     * @throws StructureException if one is refused because the rules are enforced
     */
    public SurfaceChange plan(List<EventCandidate> candidates, SurfaceRules rules) {
        SurfacePlanner planner = new SurfacePlanner(this, rules);
        candidates.forEach(planner::add);
        return planner.change();
    }

    /** Plans one event after the other without holding them; for logs of any length. */
    public SurfacePlanner planner(SurfaceRules rules) {
        return new SurfacePlanner(this, rules);
    }

    /** The seq the next event must have, so also the number of events folded. */
    public long nextSeq() {
        return nextSeq;
    }

    /** Time of the last event, Unix epoch milliseconds; 0 for an empty log. */
    public long lastTime() {
        return lastTime;
    }

    /** How many replaces there have been. */
    public long generation() {
        return generation;
    }

    /** Length of the data of all nodes as compact JSON, in UTF-16 units: a measure of what the surface holds in memory. */
    public long textLength() {
        return textLength;
    }

    /** The nodes in surface order. Unmodifiable, O(1), no copy. */
    public List<SurfaceNode> nodes() {
        return nodes.asList();
    }

    /** The seqs of the nodes in surface order. Cost: O(nodes). */
    public long[] nodeSeqs() {
        return seqs(nodes);
    }

    /** The nodes that derive a message, in surface order. Unmodifiable, O(1), no copy. */
    public List<SurfaceNode> messageNodes() {
        return speaking.asList();
    }

    /** The seqs of the nodes that derive a message, in surface order. Cost: O(nodes). */
    public long[] messageSeqs() {
        return seqs(speaking);
    }

    /** The messages the model sees, verbatim and in order. Unmodifiable, O(1), no copy. */
    public List<Message> messages() {
        return new MessageView(speaking);
    }

    /** The request header in force, empty before the first. */
    public Optional<RequestHeader> requestHeader() {
        return Optional.ofNullable(requestHeader).map(event -> (RequestHeader) event.payload());
    }

    /** The event of the request header in force, empty before the first. */
    public Optional<SessionEvent> requestHeaderEvent() {
        return Optional.ofNullable(requestHeader);
    }

    /** The limits of the model in force, empty before the first or where their shape is not known. */
    public Optional<RequestContext> requestContext() {
        return Optional.ofNullable(requestContext)
                .map(SessionEvent::payload)
                .filter(RequestContext.class::isInstance)
                .map(RequestContext.class::cast);
    }

    /** The event of the latest request context, empty before the first. */
    public Optional<SessionEvent> requestContextEvent() {
        return Optional.ofNullable(requestContext);
    }

    /** What the structure rules have found so far, in log order. Unmodifiable, O(1), no copy. */
    public List<Finding> findings() {
        return structure.findings().asList();
    }

    /** Whether the log holds a turn/start. */
    public boolean isStructured() {
        return structure.structured();
    }

    /**
     * Whether some stream chunk stood outside its open step. From then on only a fold of every chunk has all findings;
     * until then {@link SparseFold} has.
     */
    public boolean hasStrayChunks() {
        return structure.strayChunks();
    }

    /** Whether the log ends inside an open turn. */
    public boolean hasOpenTurn() {
        return turns.turnOpen();
    }

    /** Number of the open or last turn as its turn/start has it, 0 before the first. */
    public long lastTurn() {
        return structure.turn();
    }

    /**
     * The calls that have no result in the log: those of the open step, and those that their steps left behind. A replace that
     * hides one of them splits a pair. Cost: O(calls of the step and calls left behind).
     */
    public Set<CallKey> unansweredCalls() {
        return structure.waiting();
    }

    /**
     * Whether a call waits in the step that is open, so that its result may still come from there; where steps are not
     * recorded, in the last that asked for any.
     */
    public boolean isRunning(CallKey call) {
        return (structure.stepOpen() || !structure.structured())
                && structure.calls().stream()
                        .anyMatch(each -> !each.answered() && each.key().equals(call));
    }

    /**
     * The compaction that has begun and not ended, empty if there is none; its id is empty if it was recorded without one. A
     * later session/end-seed makes it {@linkplain OpenCompaction#inherited() inherited}.
     */
    public Optional<OpenCompaction> openCompaction() {
        String id = structure.openCompaction();
        if (!structure.bracketOpen() && id == null) {
            return Optional.empty();
        }
        return Optional.of(new OpenCompaction(Optional.ofNullable(id), !structure.bracketOpen()));
    }

    /** The node of this seq, empty if it is not on the surface. Cost: O(nodes behind it). */
    public Optional<SurfaceNode> node(long seq) {
        int position = position(nodes, seq);
        return position < 0 ? Optional.empty() : Optional.of(nodes.get(position));
    }

    PersistentList<SurfaceNode> nodeList() {
        return nodes;
    }

    PersistentList<SurfaceNode> speakingList() {
        return speaking;
    }

    TurnState turns() {
        return turns;
    }

    StructureState structure() {
        return structure;
    }

    /** Position of the seq, -1 if it is not there; searched from the end, where almost all replaces happen. */
    static int position(PersistentList<SurfaceNode> nodes, long seq) {
        for (int i = nodes.size() - 1; i >= 0; i--) {
            if (nodes.get(i).seq() == seq) {
                return i;
            }
        }
        return -1;
    }

    private static long[] seqs(PersistentList<SurfaceNode> nodes) {
        long[] seqs = new long[nodes.size()];
        for (int i = 0; i < seqs.length; i++) {
            seqs[i] = nodes.get(i).seq();
        }
        return seqs;
    }

    @Override
    public String toString() {
        return "Surface[nextSeq=" + nextSeq + ", nodes=" + nodes.size() + ", generation=" + generation + "]";
    }

    private static final class MessageView extends AbstractList<Message> implements RandomAccess {

        private final PersistentList<SurfaceNode> speaking;

        MessageView(PersistentList<SurfaceNode> speaking) {
            this.speaking = speaking;
        }

        @Override
        public Message get(int index) {
            if (index < 0 || index >= speaking.size()) {
                throw new IndexOutOfBoundsException("expected an index below " + speaking.size() + ", found " + index);
            }
            return speaking.get(index).message();
        }

        @Override
        public int size() {
            return speaking.size();
        }
    }
}
