package io.surfacelog.event;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What asks to become an event: read from JSON, or built by a caller. Its envelope is sound; type, data, place and
 * marker have still to pass admission, which turns it into a {@link SessionEvent}.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class EventCandidate {

    private final long seq;
    private final long time;
    private final String type;
    private final JsonText data;
    private final boolean ignorable;
    private final @Nullable Json surfaceOp;
    private final @Nullable Json sourceEventSeqs;
    private final @Nullable SessionEvent event;
    private final @Nullable EventLimits checked;

    private EventCandidate(
            long seq,
            long time,
            String type,
            JsonText data,
            boolean ignorable,
            @Nullable Json surfaceOp,
            @Nullable Json sourceEventSeqs,
            @Nullable SessionEvent event,
            @Nullable EventLimits checked) {
        this.seq = seq;
        this.time = time;
        this.type = type;
        this.data = data;
        this.ignorable = ignorable;
        this.surfaceOp = surfaceOp;
        this.sourceEventSeqs = sourceEventSeqs;
        this.event = event;
        this.checked = checked;
    }

    /** A typed event, whose marker is sound by construction. */
    public static EventCandidate of(SessionEvent event) {
        return ofChecked(event, null);
    }

    /** A typed event that is known to keep to these limits. */
    static EventCandidate ofChecked(SessionEvent event, @Nullable EventLimits limits) {
        return new EventCandidate(
                event.seq(), event.time(), event.type(), event.data(), event.ignorable(), null, null, event, limits);
    }

    /**
     * Reads one event from JSON text and checks JSON rules, size and envelope.
     *
     * @throws AdmissionException {@code json.*}, {@code limit.*} or {@code envelope}, without a place
     */
    public static EventCandidate read(String text, EventLimits limits) {
        EventCandidate candidate = ofEnvelope(Json.parse(text), limits);
        limits.checkSize(candidate);
        return candidate;
    }

    /**
     * Takes one event from a JSON value and checks depth, size and envelope.
     *
     * @throws AdmissionException {@code limit.*} or {@code envelope}, without a place
     */
    public static EventCandidate of(Json json, EventLimits limits) {
        EventCandidate candidate = ofEnvelope(json, limits);
        limits.checkAll(candidate);
        return candidate;
    }

    /** Is given out only after it was checked against these limits. */
    private static EventCandidate ofEnvelope(Json json, EventLimits limits) {
        if (!(json instanceof JsonObject object)) {
            throw envelope("the event to be an object", json);
        }
        String type = null;
        JsonNumber seq = null;
        JsonNumber time = null;
        Json data = null;
        Json op = null;
        Json sources = null;
        boolean ignorable = false;
        for (int i = 0; i < object.size(); i++) {
            Json value = object.valueAt(i);
            switch (object.nameAt(i)) {
                case "type" -> {
                    if (!(value instanceof JsonString string) || string.value().isEmpty()) {
                        throw envelope("type to be a non-empty string", value);
                    }
                    type = EventTypes.canonical(string.value());
                }
                case "seq" -> seq = number("seq", value);
                case "time" -> time = number("time", value);
                case "data" -> data = value;
                case "surfaceOp" -> op = value;
                case "sourceEventSeqs" -> sources = value;
                case "ignorable" -> {
                    if (value != JsonBoolean.TRUE) {
                        throw envelope("ignorable to be absent or true", value);
                    }
                    ignorable = true;
                }
                default ->
                    throw new AdmissionException(
                            AdmissionRule.ENVELOPE,
                            "expected only type, seq, time, data, surfaceOp, sourceEventSeqs and ignorable, found the member "
                                    + JsonReader.abridged(
                                            JsonString.of(object.nameAt(i)).toText()));
            }
        }
        if (type == null || seq == null || time == null || data == null) {
            throw envelope("the members type, seq, time and data", object);
        }
        long place = safe("seq", seq);
        if (place < 0) {
            throw envelope("seq to be an integer from 0 to 2^53-1", seq);
        }
        return new EventCandidate(
                place, safe("time", time), type, JsonText.of(data), ignorable, op, sources, null, limits);
    }

    private static JsonNumber number(String name, Json value) {
        if (value instanceof JsonNumber number) {
            return number;
        }
        throw envelope(name + " to be an integer", value);
    }

    private static long safe(String name, JsonNumber number) {
        return number.safeInteger().orElseThrow(() -> envelope(name + " to be an integer within ±(2^53-1)", number));
    }

    private static AdmissionException envelope(String expected, Json found) {
        return new AdmissionException(AdmissionRule.ENVELOPE, "expected " + expected + ", found " + Shape.found(found));
    }

    public long seq() {
        return seq;
    }

    public long time() {
        return time;
    }

    public String type() {
        return type;
    }

    public JsonText data() {
        return data;
    }

    public boolean ignorable() {
        return ignorable;
    }

    /** The raw marker, null where there is none; always null on a candidate that is {@linkplain #event() typed}. */
    public @Nullable Json surfaceOp() {
        return surfaceOp;
    }

    /** The raw sources, null where there are none; always null on a candidate that is {@linkplain #event() typed}. */
    public @Nullable Json sourceEventSeqs() {
        return sourceEventSeqs;
    }

    /** The typed event this candidate is, empty if it was read from JSON. */
    public Optional<SessionEvent> event() {
        return Optional.ofNullable(event);
    }

    /** The same candidate at another place of a log, as {@code --stamp-markers} and handed-out seqs need it. */
    public EventCandidate withMarker(Json op) {
        return new EventCandidate(
                seq, time, type, data, ignorable, Objects.requireNonNull(op, "op"), sourceEventSeqs, null, null);
    }

    /** Whether it was found to keep to these limits. */
    boolean keepsTo(EventLimits limits) {
        return limits.equals(checked);
    }

    /** Size in UTF-8 bytes of the event as compact JSON. Cost: O(size). */
    long utf8Bytes() {
        long bytes = "{\"type\":,\"seq\":,\"time\":,\"data\":}".length()
                + JsonText.utf8Bytes(JsonString.of(type).toText())
                + Long.toString(seq).length()
                + Long.toString(time).length()
                + data.utf8Bytes();
        if (ignorable) {
            bytes += ",\"ignorable\":true".length();
        }
        Json op = event == null
                ? surfaceOp
                : event.intent().map(intent -> intent.op().toJson()).orElse(null);
        if (op != null) {
            bytes += ",\"surfaceOp\":".length() + plainBytes(op);
        }
        if (sourceEventSeqs != null) {
            bytes += ",\"sourceEventSeqs\":".length() + plainBytes(sourceEventSeqs);
        } else if (event != null) {
            // counted and not written out: a few runs may stand for more seqs than memory holds
            bytes += event.intent()
                    .flatMap(SurfaceIntent::sources)
                    .map(sources -> ",\"sourceEventSeqs\":".length() + sources.jsonLength())
                    .orElse(0L);
        }
        return bytes;
    }

    /** Size of a member of the envelope, whose numbers will be written plain: {@code 1e3} as 1000. */
    private static long plainBytes(Json json) {
        if (json instanceof JsonNumber number && number.safeInteger().isPresent()) {
            return Long.toString(number.safeInteger().getAsLong()).length();
        }
        if (json instanceof JsonArray array) {
            long bytes = 2L + Math.max(0, array.size() - 1);
            for (Json item : array.items()) {
                bytes += plainBytes(item);
            }
            return bytes;
        }
        if (json instanceof JsonObject object) {
            long bytes = 2L + Math.max(0, object.size() - 1);
            for (int i = 0; i < object.size(); i++) {
                bytes += 1
                        + JsonText.utf8Bytes(JsonString.of(object.nameAt(i)).toText())
                        + plainBytes(object.valueAt(i));
            }
            return bytes;
        }
        return JsonText.utf8Bytes(json.toText());
    }
}
