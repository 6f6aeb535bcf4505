package io.surfacelog.surface;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.surface.StructureState.StepCall;
import io.surfacelog.surface.TurnState.PendingCall;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a fold stands, in a form that can be stored: all of a {@link Surface} but the events, which are in the log.
 *
 * <pre>{@code
 * byte[] state = SurfaceCheckpoint.of(surface).bytes();
 * Surface again = SurfaceCheckpoint.parse(state).surface(seqs -> store.events(id, seqs));
 * }</pre>
 *
 * <p>A surface made of a checkpoint cannot be told from the one it was made from, and neither can what is planned on it.
 * Equal surfaces give equal bytes. The bytes begin with a version, which changes whenever their form or the fold itself
 * does; they are trusted to come from here, so keep a checksum with them. Takes a few bytes for each node and finding.
 */
public final class SurfaceCheckpoint {

    private static final long VERSION = 1;

    private final long nextSeq;
    private final long lastTime;
    private final long generation;
    private final EventSeqs nodes;
    private final long requestHeader;
    private final long requestContext;
    private final TurnState turns;
    private final StructureState structure;

    private SurfaceCheckpoint(Surface surface) {
        this.nextSeq = surface.nextSeq();
        this.lastTime = surface.lastTime();
        this.generation = surface.generation();
        this.nodes = EventSeqs.of(surface.nodeSeqs());
        this.requestHeader = surface.requestHeaderEvent().map(SessionEvent::seq).orElse(-1L);
        this.requestContext =
                surface.requestContextEvent().map(SessionEvent::seq).orElse(-1L);
        this.turns = surface.turns();
        this.structure = surface.structure();
    }

    private SurfaceCheckpoint(CheckpointInput in) {
        this.nextSeq = in.seqOrNone(JsonNumber.MAX_SAFE) + 1;
        this.lastTime = in.number();
        this.generation = in.count();
        this.nodes = in.seqs(nextSeq);
        this.requestHeader = in.seqOrNone(nextSeq);
        this.requestContext = in.seqOrNone(nextSeq);
        this.turns = turns(in, nextSeq);
        this.structure = structure(in, nextSeq);
        in.end();
    }

    /** The checkpoint of a surface. Cost: O(nodes). */
    public static SurfaceCheckpoint of(Surface surface) {
        return new SurfaceCheckpoint(surface);
    }

    /**
     * Reads the bytes of a checkpoint. Cost: O(bytes).
     *
     * @throws UnreadableCheckpointException if they are of another version or malformed
     */
    public static SurfaceCheckpoint parse(byte[] bytes) {
        CheckpointInput in = new CheckpointInput(bytes);
        long version = in.count();
        if (version != VERSION) {
            throw new UnreadableCheckpointException("expected a checkpoint of version " + VERSION + ", found version "
                    + version + "; rebuild puts a new one in its place");
        }
        return new SurfaceCheckpoint(in);
    }

    /** How many events it stands for. */
    public long nextSeq() {
        return nextSeq;
    }

    /** How many nodes the surface has. */
    public long nodes() {
        return nodes.size();
    }

    /** Whether it follows a {@linkplain Surface#hasStrayChunks() stray chunk}. */
    public boolean hasStrayChunks() {
        return structure.strayChunks();
    }

    /**
     * The surface. Cost: O(nodes and their assistant messages).
     *
     * @param events reads events, exactly those asked for and in that order; asked once
     * @throws UnreadableCheckpointException if the events are none that the checkpoint can have been made of
     */
    public Surface surface(Function<EventSeqs, List<SessionEvent>> events) {
        EventSeqs.Builder wanted = EventSeqs.builder().addAll(nodes);
        if (requestHeader >= 0) {
            wanted.add(requestHeader);
        }
        if (requestContext >= 0) {
            wanted.add(requestContext);
        }
        EventSeqs seqs = wanted.build();
        List<SessionEvent> found = events.apply(seqs);
        boolean asAsked = Arrays.equals(
                seqs.toArray(), found.stream().mapToLong(SessionEvent::seq).toArray());
        if (!asAsked) {
            throw misfit("the events " + seqs, "others");
        }
        int count = Math.toIntExact(nodes.size());
        int behind = count;
        SessionEvent header = requestHeader < 0 ? null : ofType(EventType.REQUEST_HEADER, found.get(behind++));
        SessionEvent context = requestContext < 0 ? null : ofType(EventType.REQUEST_CONTEXT, found.get(behind));
        return surface(found.subList(0, count), header, context);
    }

    private Surface surface(
            List<SessionEvent> nodeEvents, @Nullable SessionEvent header, @Nullable SessionEvent context) {
        PersistentList<SurfaceNode> all = PersistentList.empty();
        PersistentList<SurfaceNode> speaking = PersistentList.empty();
        long textLength = 0;
        for (SessionEvent event : nodeEvents) {
            if (!event.isSurface()) {
                throw misfit("a surface event " + event.seq(), event.type());
            }
            SurfaceNode node = new SurfaceNode(event);
            all = all.append(node);
            speaking = node.derivesMessage() ? speaking.append(node) : speaking;
            textLength += node.textLength();
        }
        return new Surface(nextSeq, lastTime, generation, textLength, all, speaking, turns, structure, header, context);
    }

    private SessionEvent ofType(String type, SessionEvent event) {
        if (!event.type().equals(type)) {
            throw misfit("event " + event.seq() + " of type " + type, event.type());
        }
        return event;
    }

    private UnreadableCheckpointException misfit(String expected, String found) {
        return new UnreadableCheckpointException("the checkpoint after " + nextSeq
                + " events does not belong to this log: expected " + expected + ", found " + found);
    }

    /** The checkpoint as bytes. Cost: O(nodes). */
    public byte[] bytes() {
        CheckpointOutput out = new CheckpointOutput()
                .count(VERSION)
                .count(nextSeq)
                .number(lastTime)
                .count(generation)
                .seqs(nodes)
                .seqOrNone(requestHeader)
                .seqOrNone(requestContext);
        write(turns, out);
        write(structure, out);
        return out.bytes();
    }

    private static void write(TurnState turns, CheckpointOutput out) {
        out.number(turns.turn()).number(turns.step()).number(turns.stepTurn()).seqOrNone(turns.firstChunk());
        out.count(turns.pending().size());
        for (PendingCall call : turns.pending()) {
            write(call.key(), out);
            out.seqOrNone(call.message()).seqOrNone(call.startedBy());
        }
    }

    private static TurnState turns(CheckpointInput in, long nextSeq) {
        long turn = in.number();
        long step = in.number();
        long stepTurn = in.number();
        long firstChunk = in.seqOrNone(nextSeq);
        List<PendingCall> pending =
                in.list(item -> new PendingCall(key(item), item.seqOrNone(nextSeq), item.seqOrNone(nextSeq)));
        return new TurnState(turn, step, stepTurn, List.copyOf(pending), firstChunk);
    }

    private static void write(StructureState state, CheckpointOutput out) {
        out.flag(state.structured()).flag(state.turnOpen()).number(state.turn());
        out.flag(state.stepOpen()).number(state.step());
        out.count(state.calls().size());
        for (StepCall call : state.calls()) {
            write(call.key(), out);
            out.flag(call.answered());
        }
        out.count(state.unanswered().size());
        state.unanswered().forEach(key -> write(key, out));
        String compaction = state.openCompaction();
        out.flag(state.bracketOpen()).flag(compaction != null);
        if (compaction != null) {
            out.text(compaction);
        }
        out.flag(state.strayChunks()).count(state.findings().size());
        for (Finding finding : state.findings().asList()) {
            out.text(finding.rule().code()).seqOrNone(finding.seq()).text(finding.message());
        }
    }

    private static StructureState structure(CheckpointInput in, long nextSeq) {
        boolean structured = in.flag();
        boolean turnOpen = in.flag();
        long turn = in.number();
        boolean stepOpen = in.flag();
        long step = in.number();
        List<StepCall> calls = in.list(item -> new StepCall(key(item), item.flag()));
        List<CallKey> unanswered = in.list(SurfaceCheckpoint::key);
        boolean bracketOpen = in.flag();
        String compaction = in.flag() ? in.text() : null;
        boolean strayChunks = in.flag();
        PersistentList<Finding> findings = PersistentList.empty();
        for (Finding finding : in.list(item -> finding(item, nextSeq))) {
            findings = findings.append(finding);
        }
        return new StructureState(
                structured,
                turnOpen,
                turn,
                stepOpen,
                step,
                List.copyOf(calls),
                List.copyOf(unanswered),
                bracketOpen,
                compaction,
                strayChunks,
                findings);
    }

    private static Finding finding(CheckpointInput in, long nextSeq) {
        StructureRule rule = StructureRule.ofCode(in.text()).orElseThrow(() -> in.refused("a structure rule"));
        return new Finding(rule, in.seqOrNone(nextSeq), in.text());
    }

    private static void write(CallKey key, CheckpointOutput out) {
        out.number(key.turn()).number(key.step()).text(key.callId());
    }

    private static CallKey key(CheckpointInput in) {
        return new CallKey(in.number(), in.number(), in.text());
    }
}
