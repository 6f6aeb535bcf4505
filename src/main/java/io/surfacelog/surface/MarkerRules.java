package io.surfacelog.surface;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfaceOp;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Admission of the marker: how an event joins the surface and what it cites (format, section 4, steps 5 to 8). */
final class MarkerRules {

    private MarkerRules() {}

    static void checkMarker(EventCandidate candidate, @Nullable SessionEvent event, boolean surfaceType) {
        boolean hasOp = event != null ? event.intent().isPresent() : candidate.surfaceOp() != null;
        if (surfaceType) {
            if (!hasOp) {
                throw new AdmissionException(
                        AdmissionRule.SURFACE_OP_MISSING, "expected surfaceOp on " + candidate.type() + ", found none");
            }
            return;
        }
        if (hasOp) {
            throw new AdmissionException(
                    AdmissionRule.SURFACE_OP_NOT_ALLOWED,
                    "expected no surfaceOp on the log-only type " + candidate.type() + ", found one");
        }
        if (candidate.sourceEventSeqs() != null) {
            throw new AdmissionException(
                    AdmissionRule.SURFACE_SOURCES_NOT_ALLOWED,
                    "expected no sourceEventSeqs on the log-only type " + candidate.type() + ", found some");
        }
    }

    static SurfaceOp op(Json json) {
        if (json instanceof JsonString string && string.value().equals("append")) {
            return SurfaceOp.append();
        }
        if (!(json instanceof JsonObject object)) {
            throw new AdmissionException(
                    AdmissionRule.SURFACE_OP_BAD,
                    "expected \"append\" or an object {op, start, end}, found " + json.toText());
        }
        OptionalLong start = object.longValue("start");
        OptionalLong end = object.longValue("end");
        boolean sound = object.size() == 3
                && object.string("op").filter("replace"::equals).isPresent()
                && start.orElse(-1) >= 0
                && end.orElse(-1) >= 0;
        if (!sound) {
            String text = json.toText();
            throw new AdmissionException(
                    AdmissionRule.SURFACE_OP_BAD_REPLACE,
                    "expected exactly {\"op\":\"replace\",\"start\":seq,\"end\":seq} as format version 0 has it, found "
                            + (text.length() > 120 ? text.substring(0, 120) + "…" : text));
        }
        return SurfaceOp.replace(start.getAsLong(), end.getAsLong());
    }

    /**
     * Checks what the event cites.
     *
     * @param shadowed the nodes it takes off the surface, null for an append
     * @return the intent
     */
    static SurfaceIntent checkSources(
            EventCandidate candidate,
            @Nullable SessionEvent event,
            SurfaceOp op,
            long @Nullable [] shadowed,
            long seq) {
        Optional<EventSeqs> sources = event != null
                ? event.intent().flatMap(SurfaceIntent::sources)
                : Optional.ofNullable(candidate.sourceEventSeqs()).map(json -> read(json, candidate.type()));
        sources.ifPresent(seqs -> checkSeqs(seqs, candidate.type(), seq));
        if (shadowed != null) {
            EventSeqs cited = sources.orElse(EventSeqs.NONE);
            cited.firstMissing(shadowed).ifPresent(missing -> {
                throw new AdmissionException(
                        AdmissionRule.SOURCES_MISSING_SHADOWED,
                        "expected sourceEventSeqs to cite every node the replace takes off the surface, found "
                                + abridged(cited) + ", which lacks " + missing);
            });
        }
        return event != null ? event.intent().orElseThrow() : SurfaceIntent.of(op, sources);
    }

    private static EventSeqs read(Json json, String type) {
        if (!(json instanceof JsonArray array)) {
            throw new AdmissionException(
                    AdmissionRule.SOURCES_NOT_ARRAY, "expected sourceEventSeqs to be an array, found " + found(json));
        }
        checkEmpty(array.size() == 0, type);
        EventSeqs.Builder seqs = EventSeqs.builder();
        for (Json item : array.items()) {
            long seq = item instanceof JsonNumber number ? number.safeInteger().orElse(-1) : -1;
            if (seq < 0) {
                throw new AdmissionException(
                        AdmissionRule.SOURCES_BAD_SEQ,
                        "expected sourceEventSeqs to hold integers from 0 to 2^53-1, found " + found(item));
            }
            seqs.add(seq);
        }
        return seqs.build();
    }

    private static void checkSeqs(EventSeqs seqs, String type, long seq) {
        checkEmpty(seqs.isEmpty(), type);
        seqs.duplicate().ifPresent(twice -> {
            throw new AdmissionException(
                    AdmissionRule.SOURCES_DUPLICATE, "expected each source once, found " + twice + " twice");
        });
        OptionalLong max = seqs.max();
        if (max.isPresent() && max.getAsLong() >= seq) {
            throw new AdmissionException(
                    AdmissionRule.SOURCES_NOT_EARLIER,
                    "expected sources before event " + seq + ", found " + max.getAsLong());
        }
    }

    private static void checkEmpty(boolean empty, String type) {
        if (empty && !type.equals(EventType.ASSISTANT_MESSAGE)) {
            throw new AdmissionException(
                    AdmissionRule.SOURCES_EMPTY,
                    "expected sourceEventSeqs of " + type + " to be absent or to name an event, found an empty list");
        }
    }

    static void checkRewrite(Json data, ReplaceRange range, PersistentList<SurfaceNode> nodes) {
        if (range.size() != 1) {
            throw new AdmissionException(
                    AdmissionRule.REWRITE_ONE_NODE,
                    "expected a replacing tool/result to take the place of one node, found " + range.size());
        }
        SessionEvent target = nodes.get(range.first()).event();
        if (!target.type().equals(EventType.TOOL_RESULT)) {
            throw new AdmissionException(
                    AdmissionRule.REWRITE_TARGET,
                    "expected a replacing tool/result to take the place of a tool/result, found event " + target.seq()
                            + " of type " + target.type());
        }
        if (!withoutBlockContent(data).equals(withoutBlockContent(target.data().value()))) {
            throw new AdmissionException(
                    AdmissionRule.REWRITE_CONTENT_ONLY,
                    "expected everything but the block's content to equal that of event " + target.seq()
                            + ", found a difference");
        }
    }

    private static JsonObject withoutBlockContent(Json data) {
        JsonObject object = (JsonObject) data;
        JsonObject message = object.object("message").orElseThrow();
        JsonObject block = (JsonObject) message.array("content").orElseThrow().get(0);
        return object.with("message", message.with("content", JsonArray.of(List.of(block.without("content")))));
    }

    private static String found(Json json) {
        String text = json.toText();
        return text.length() > 40 ? text.substring(0, 40) + "…" : text;
    }

    private static String abridged(EventSeqs seqs) {
        String text = seqs.toText();
        return "[" + (text.length() > 80 ? text.substring(0, 80) + "…" : text) + "]";
    }
}
