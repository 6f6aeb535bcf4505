package io.surfacelog.surface;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventType;
import io.surfacelog.event.PayloadRules;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfaceOp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plans events one after the other from a surface: admits each in the order of the format's section 4 and folds it. The
 * surface it started from never changes. An event that is refused leaves the planner as it was, so that planning may go
 * on with another.
 *
 * <p>Not safe for use by several threads.
 */
public final class SurfacePlanner {

    private final Surface before;
    private final SurfaceRules rules;
    private final List<SessionEvent> events = new ArrayList<>();
    private final StructureFold structure;

    private long nextSeq;
    private long lastTime;
    private long generation;
    private long textLength;
    private PersistentList<SurfaceNode> nodes;
    private PersistentList<SurfaceNode> speaking;
    private TurnState turns;
    private @Nullable SessionEvent requestHeader;
    private @Nullable SessionEvent requestContext;

    SurfacePlanner(Surface before, SurfaceRules rules) {
        this.before = before;
        this.rules = rules;
        this.nextSeq = before.nextSeq();
        this.lastTime = before.lastTime();
        this.generation = before.generation();
        this.textLength = before.textLength();
        this.nodes = before.nodeList();
        this.speaking = before.speakingList();
        this.turns = before.turns();
        this.structure = new StructureFold(before.structure());
        this.requestHeader = before.requestHeaderEvent().orElse(null);
        this.requestContext = before.requestContextEvent().orElse(null);
    }

    /** The seq the next event must have. */
    public long nextSeq() {
        return nextSeq;
    }

    /**
     * Admits and folds one event, and keeps it for the {@link #change()}.
     *
     * @return the admitted event
     * @throws AdmissionException if it is refused
     * @throws StructureException if it is refused because the structure rules are enforced
     */
    public SessionEvent add(EventCandidate candidate) {
        SessionEvent event = fold(candidate);
        events.add(event);
        return event;
    }

    /**
     * Admits and folds one event without keeping it: memory grows with the surface only, and {@link #change()} has no
     * events.
     *
     * @return the admitted event
     * @throws AdmissionException if it is refused
     * @throws StructureException if it is refused because the structure rules are enforced
     */
    public SessionEvent fold(EventCandidate candidate) {
        try {
            return admit(candidate);
        } catch (AdmissionException e) {
            throw e.at().isPresent() ? e : e.at(nextSeq);
        }
    }

    /** Passes over stream chunks up to a seq, excluded; {@link SparseFold} makes up for what they would have changed. */
    void passTo(long seq) {
        if (seq < nextSeq) {
            throw new IllegalArgumentException("expected a seq from " + nextSeq + ", found " + seq);
        }
        nextSeq = seq;
    }

    /** Folds a chunk that was passed over, as far as it concerns the stream of the open step. */
    void streamed(SessionEvent chunk) {
        turns = turns.after(chunk);
    }

    /** Takes the time of the last event that was passed over. */
    void endAt(long time) {
        lastTime = time;
    }

    /** Takes in the findings that a surface of a longer prefix of the same log has. */
    void findAsIn(Surface later) {
        structure.findAsIn(later.structure(), nextSeq);
    }

    TurnState turns() {
        return turns;
    }

    /** What the events added so far would make of the surface. */
    public SurfaceChange change() {
        return new SurfaceChange(before, List.copyOf(events), surface(), structure.found());
    }

    /** The surface after the events so far. */
    public Surface surface() {
        return new Surface(
                nextSeq,
                lastTime,
                generation,
                textLength,
                nodes,
                speaking,
                turns,
                structure.state(),
                requestHeader,
                requestContext);
    }

    private SessionEvent admit(EventCandidate candidate) {
        String type = candidate.type();
        checkType(type, candidate.ignorable());
        PayloadRules.check(type, candidate.data());
        if (candidate.seq() != nextSeq) {
            throw gap(candidate.seq());
        }
        boolean surfaceType = EventType.isSurface(type);
        SessionEvent event = candidate.event().orElse(null);
        MarkerRules.checkMarker(candidate, event, surfaceType);
        if (!surfaceType) {
            SessionEvent admitted = event != null ? event : event(candidate, null);
            foldStructure(admitted, null);
            commitLogOnly(admitted);
            return admitted;
        }
        SurfaceOp op = event != null
                ? event.intent().orElseThrow().op()
                : MarkerRules.op(java.util.Objects.requireNonNull(candidate.surfaceOp()));
        ReplaceRange range = op instanceof SurfaceOp.Replace replace ? ReplaceRange.find(nodes, replace) : null;
        SurfaceIntent intent =
                MarkerRules.checkSources(candidate, event, op, range == null ? null : range.seqs(nodes), nextSeq);
        if (range != null && type.equals(EventType.TOOL_RESULT)) {
            MarkerRules.checkRewrite(candidate.data().value(), range, nodes);
        }
        SessionEvent admitted = event != null ? event : event(candidate, intent);
        foldStructure(admitted, range);
        commitSurface(admitted, range);
        return admitted;
    }

    private AdmissionException gap(long found) {
        String missing = found > nextSeq + 1
                ? ": " + nextSeq + " to " + (found - 1) + " are missing"
                : found > nextSeq ? ": " + nextSeq + " is missing" : ", which the log has already";
        return new AdmissionException(
                AdmissionRule.SEQ_CONTIGUOUS, "expected seq " + nextSeq + ", found " + found + missing);
    }

    private void checkType(String type, boolean ignorable) {
        switch (type) {
            case "request/header-delta" ->
                throw new AdmissionException(
                        AdmissionRule.LEGACY_HEADER_DELTA,
                        "expected request/header, found the retired request/header-delta");
            case "mode/set" ->
                throw new AdmissionException(AdmissionRule.LEGACY_MODE_SET, "expected no retired type, found mode/set");
            default -> {
                if (!ignorable && !rules.types().isDeclared(type)) {
                    throw new AdmissionException(
                            AdmissionRule.TYPE_UNDECLARED,
                            "expected a declared type, found \"" + type
                                    + "\": declare it with an EventTypeDeclaration bean, mark the event ignorable, or"
                                    + " import it with --keep-unknown");
                }
            }
        }
    }

    private static SessionEvent event(EventCandidate candidate, @Nullable SurfaceIntent intent) {
        return SessionEvent.of(
                candidate.seq(), candidate.time(), candidate.type(), candidate.data(), intent, candidate.ignorable());
    }

    private void foldStructure(SessionEvent event, @Nullable ReplaceRange range) {
        if (rules.structure() != StructureMode.OFF) {
            structure.add(event, range, nodes, rules.structure() == StructureMode.ENFORCE);
        }
    }

    private void commitLogOnly(SessionEvent event) {
        switch (event.type()) {
            case EventType.REQUEST_HEADER -> requestHeader = event;
            case EventType.REQUEST_CONTEXT -> requestContext = event;
            default -> {
                // no fold of its own
            }
        }
        advance(event);
    }

    private void commitSurface(SessionEvent event, @Nullable ReplaceRange range) {
        SurfaceNode node = new SurfaceNode(event);
        textLength += node.textLength();
        if (range == null) {
            nodes = nodes.append(node);
            if (node.derivesMessage()) {
                speaking = speaking.append(node);
            }
        } else {
            for (int i = range.first(); i <= range.last(); i++) {
                textLength -= nodes.get(i).textLength();
            }
            speaking = replaceSpeaking(node, range);
            nodes = nodes.replace(range.first(), range.last(), node);
            generation++;
        }
        advance(event);
    }

    private void advance(SessionEvent event) {
        turns = turns.after(event);
        lastTime = event.time();
        nextSeq++;
    }

    /** Brings the messages along: they stand in the order of the nodes, without those that derive none. */
    private PersistentList<SurfaceNode> replaceSpeaking(SurfaceNode node, ReplaceRange range) {
        int behind = 0;
        for (int i = nodes.size() - 1; i > range.last(); i--) {
            behind += nodes.get(i).derivesMessage() ? 1 : 0;
        }
        int shadowed = 0;
        for (int i = range.first(); i <= range.last(); i++) {
            shadowed += nodes.get(i).derivesMessage() ? 1 : 0;
        }
        int first = speaking.size() - behind - shadowed;
        if (shadowed == 0) {
            return node.derivesMessage() ? speaking.insert(first, node) : speaking;
        }
        return node.derivesMessage()
                ? speaking.replace(first, first + shadowed - 1, node)
                : speaking.remove(first, first + shadowed - 1);
    }
}
