package io.surfacelog.event;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One immutable record of a log. Its {@linkplain #data() data} is kept as it was given, digit for digit; the typed
 * {@linkplain #payload() payload} is a view of it, made when first looked at.
 *
 * <p>Safe for use by several threads.
 */
public final class SessionEvent {

    private final long seq;
    private final long time;
    private final String type;
    private final JsonText data;
    private final @Nullable SurfaceIntent intent;
    private final boolean ignorable;
    private @Nullable Payload payload;
    private @Nullable EventPlace place;

    private SessionEvent(
            long seq,
            long time,
            String type,
            JsonText data,
            @Nullable SurfaceIntent intent,
            boolean ignorable,
            @Nullable EventPlace place) {
        this.seq = seq;
        this.time = time;
        this.type = type;
        this.data = data;
        this.intent = intent;
        this.ignorable = ignorable;
        this.place = place;
    }

    /** A stream chunk whose place is known, so that its data need not be parsed for it. */
    static SessionEvent chunk(long seq, long time, JsonText data, EventPlace place) {
        return new SessionEvent(seq, time, EventType.ASSISTANT_CHUNK, data, null, false, place);
    }

    /**
     * An event of these parts. Only its shape is checked here; whether it may enter a log is for admission to say.
     *
     * @param seq its index in the log, from 0
     * @param time Unix epoch milliseconds
     * @param intent how it joins the surface; null on log-only events
     */
    public static SessionEvent of(
            long seq, long time, String type, JsonText data, @Nullable SurfaceIntent intent, boolean ignorable) {
        boolean sound = seq >= 0
                && seq <= JsonNumber.MAX_SAFE
                && time >= -JsonNumber.MAX_SAFE
                && time <= JsonNumber.MAX_SAFE
                && !type.isEmpty();
        if (!sound) {
            throw new AdmissionException(
                    AdmissionRule.ENVELOPE,
                    "expected a type, a seq from 0 and a time within ±(2^53-1), found type \"" + type + "\", seq " + seq
                            + ", time " + time);
        }
        // cheap while the value is at hand, and folds over many events then need not touch their trees
        EventPlace place = data.isParsed() ? EventPlace.of(type, data.value()) : null;
        return new SessionEvent(seq, time, EventTypes.canonical(type), data, intent, ignorable, place);
    }

    /** Index in the log, from 0 without a gap. */
    public long seq() {
        return seq;
    }

    /** Unix epoch milliseconds; need not be monotonic. */
    public long time() {
        return time;
    }

    /** The type, {@code scope/name}. */
    public String type() {
        return type;
    }

    /** The data as it was given. */
    public JsonText data() {
        return data;
    }

    /** How the event joins the surface; empty on log-only events. */
    public Optional<SurfaceIntent> intent() {
        return Optional.ofNullable(intent);
    }

    /** Whether the event is on a surface type and so carries an intent. */
    public boolean isSurface() {
        return intent != null;
    }

    /** Whether readers that do not know the type may pass over the event. */
    public boolean ignorable() {
        return ignorable;
    }

    /**
     * The typed view of the data; an {@link OpaquePayload} where the type or the shape of its data is not known. Cost:
     * parses the data the first time, O(1) after.
     */
    public Payload payload() {
        Payload known = payload;
        if (known == null) {
            known = Payload.view(type, data.value());
            payload = known;
        }
        return known;
    }

    /** Where the event stands among turns and steps. Cost: parses the data the first time, O(1) after. */
    public EventPlace place() {
        EventPlace known = place;
        if (known == null) {
            known = EventPlace.of(type, data.value());
            place = known;
        }
        return known;
    }

    /** The event in its JSON form, one object with the members of the format's envelope. */
    public JsonObject toJson() {
        JsonObject.Builder object = JsonObject.builder()
                .put("type", type)
                .put("seq", seq)
                .put("time", time)
                .put("data", data.value());
        if (intent != null) {
            object.put("surfaceOp", intent.op().toJson());
            intent.sources().ifPresent(sources -> object.put("sourceEventSeqs", sources.toJson()));
        }
        return ignorable ? object.put("ignorable", true).build() : object.build();
    }

    /** {@link #toJson()} as compact text; the data is copied, not parsed. */
    public String toText() {
        String text = data.text();
        StringBuilder out = new StringBuilder(text.length() + 96).append("{\"type\":");
        JsonWriter.writeString(type, out);
        out.append(",\"seq\":")
                .append(seq)
                .append(",\"time\":")
                .append(time)
                .append(",\"data\":")
                .append(text);
        if (intent != null) {
            out.append(",\"surfaceOp\":");
            JsonWriter.write(intent.op().toJson(), out);
            intent.sources().ifPresent(sources -> {
                out.append(",\"sourceEventSeqs\":[");
                int start = out.length();
                sources.forEach(source -> {
                    if (out.length() > start) {
                        out.append(',');
                    }
                    out.append(source);
                });
                out.append(']');
            });
        }
        return out.append(ignorable ? ",\"ignorable\":true}" : "}").toString();
    }

    /** Equal when all parts are, data by JSON value. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof SessionEvent that && seq == that.seq && time == that.time && hasContentOf(that);
    }

    /** Whether the other event has the same content: type, data, intent and ignorable, whatever its seq and time. */
    public boolean hasContentOf(SessionEvent other) {
        return type.equals(other.type)
                && ignorable == other.ignorable
                && Objects.equals(intent, other.intent)
                && data.equals(other.data);
    }

    @Override
    public int hashCode() {
        return Objects.hash(seq, time, type);
    }

    @Override
    public String toString() {
        return toText();
    }
}
