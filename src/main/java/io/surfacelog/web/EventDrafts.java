package io.surfacelog.web;

import io.surfacelog.command.EventDraft;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfaceOp;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Events to be appended as a client writes them: the members of an event without its seq. A marker that cannot be said in
 * types is refused by admission itself, so that the rule named is the first one broken, as at every other door.
 */
final class EventDrafts {

    private static final String OP = "surfaceOp";
    private static final String SOURCES = "sourceEventSeqs";

    private final List<JsonObject> bodies;
    private final EventLimits limits;

    private EventDrafts(List<JsonObject> bodies, EventLimits limits) {
        this.bodies = bodies;
        this.limits = limits;
    }

    /** One event, or an array of at least one. */
    static EventDrafts read(Json body, EventLimits limits) {
        List<Json> items = body instanceof JsonArray array ? array.items() : List.of(body);
        if (items.isEmpty()) {
            throw ProblemException.badRequest("expected at least one event, found an empty array");
        }
        List<JsonObject> bodies = new ArrayList<>(items.size());
        for (Json item : items) {
            if (!(item instanceof JsonObject object)) {
                throw new AdmissionException(
                        AdmissionRule.ENVELOPE, "expected the event to be an object, found another value");
            }
            if (object.has("seq")) {
                throw new AdmissionException(
                        AdmissionRule.ENVELOPE,
                        "expected no seq, since the log gives it, found one; what is expected of the log is said by"
                                + " If-Match");
            }
            bodies.add(object);
        }
        return new EventDrafts(bodies, limits);
    }

    /**
     * The drafts.
     *
     * @param surface what they would be appended to; asked for only if one cannot be a draft
     * @throws AdmissionException the first rule broken, where one cannot be a draft
     */
    List<EventDraft> drafts(Supplier<Surface> surface, EventTypes types) {
        List<EventDraft> drafts = new ArrayList<>(bodies.size());
        for (JsonObject body : bodies) {
            EventDraft draft = draft(body);
            if (draft == null) {
                throw refusal(surface.get(), types);
            }
            drafts.add(draft);
        }
        return drafts;
    }

    /** Null if the event breaks a rule on the way from JSON to types. */
    private @Nullable EventDraft draft(JsonObject body) {
        EventCandidate candidate;
        try {
            candidate = candidate(body, 0);
        } catch (AdmissionException toldByTheRefusal) {
            return null;
        }
        SurfaceIntent intent = null;
        if (body.has(OP)) {
            Optional<SurfaceOp> op = op(body.get(OP));
            Optional<EventSeqs> sources = sources(body.get(SOURCES));
            if (op.isEmpty() || (body.has(SOURCES) && sources.isEmpty())) {
                return null;
            }
            intent = SurfaceIntent.of(op.get(), sources);
        } else if (body.has(SOURCES)) {
            return null;
        }
        EventDraft draft = EventDraft.untyped(
                OpaquePayload.of(candidate.type(), candidate.data().value()), intent);
        draft = candidate.ignorable() ? draft.ignorable() : draft;
        return body.has("time") ? draft.at(candidate.time()) : draft;
    }

    private EventCandidate candidate(JsonObject body, long seq) {
        JsonObject timed = body.has("time") ? body : body.with("time", JsonNumber.of(0));
        return EventCandidate.of(timed.with("seq", JsonNumber.of(seq)), limits);
    }

    private AdmissionException refusal(Surface surface, EventTypes types) {
        SurfacePlanner planner = surface.planner(new SurfaceRules(types, StructureMode.REPORT));
        for (JsonObject body : bodies) {
            try {
                planner.fold(candidate(body, planner.nextSeq()));
            } catch (AdmissionException e) {
                return e.at().isPresent() ? e : e.at(planner.nextSeq());
            }
        }
        throw new IllegalStateException("admission takes a marker that cannot be said in types");
    }

    private static Optional<SurfaceOp> op(@Nullable Json json) {
        if (json instanceof JsonString string && string.value().equals("append")) {
            return Optional.of(SurfaceOp.append());
        }
        if (json instanceof JsonObject object
                && object.size() == 3
                && object.string("op").filter("replace"::equals).isPresent()) {
            long start = object.longValue("start").orElse(-1);
            long end = object.longValue("end").orElse(-1);
            return start < 0 || end < 0 ? Optional.empty() : Optional.of(SurfaceOp.replace(start, end));
        }
        return Optional.empty();
    }

    private static Optional<EventSeqs> sources(@Nullable Json json) {
        if (!(json instanceof JsonArray array)) {
            return Optional.empty();
        }
        EventSeqs.Builder seqs = EventSeqs.builder();
        for (Json item : array.items()) {
            OptionalLong seq = item instanceof JsonNumber number ? number.safeInteger() : OptionalLong.empty();
            if (seq.orElse(-1) < 0) {
                return Optional.empty();
            }
            seqs.add(seq.getAsLong());
        }
        return Optional.of(seqs.build());
    }
}
