package io.surfacelog.event;

import java.util.AbstractList;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An admitted row. Its members are made when asked for: a row whose call id is long unpacks to far more than it is.
 */
final class ChunkRow extends AbstractList<EventCandidate> implements RandomAccess {

    private static final Set<String> ENVELOPE = Set.of("type", "seq0", "time0", "data");

    private static final String EMPTY = "\"\"";

    private static final String BEHIND = "}}";

    /** What an event is more than its data, with a seq and a time of as many digits as there may be. */
    private static final int MOST_ENVELOPE = 100;

    private final long seq0;
    private final long[] times;
    private final JsonArray texts;
    private final EventLimits limits;
    private final EventPlace place;

    /** The data of each member, up to where its text begins; behind it comes {@link #BEHIND}. */
    private final String before;

    private ChunkRow(ChunkRowKind kind, long seq0, long[] times, JsonObject data, JsonArray texts, EventLimits limits) {
        this.seq0 = seq0;
        this.times = times;
        this.texts = texts;
        this.limits = limits;
        JsonObject chunk = JsonObject.builder()
                .put("type", kind.chunkType())
                .put("index", member(data, "index"))
                .putIfPresent("id", data.get("id"))
                .putIfPresent("name", data.get("name"))
                .put(kind.text(), "")
                .build();
        JsonObject model = JsonObject.builder()
                .put("turn", member(data, "turn"))
                .put("step", member(data, "step"))
                .put("chunk", chunk)
                .build();
        String text = model.toText();
        this.before = text.substring(0, text.length() - EMPTY.length() - BEHIND.length());
        this.place = EventPlace.of(EventType.ASSISTANT_CHUNK, model);
    }

    /** The kind of row that a value claims to be, or null if it is none. */
    static @Nullable ChunkRowKind kindOf(Json json) {
        return json instanceof JsonObject object && object.get("type") instanceof JsonString type
                ? ChunkRowKind.ofRowType(type.value())
                : null;
    }

    /**
     * Admits a row.
     *
     * @throws AdmissionException {@code row.*} without a place, or {@code limit.event-bytes} at the member concerned
     */
    static ChunkRow of(ChunkRowKind kind, JsonObject row, EventLimits limits) {
        if (row.size() != ENVELOPE.size() || !ENVELOPE.containsAll(row.names())) {
            throw fault(AdmissionRule.ROW_ENVELOPE, "exactly the members type, seq0, time0 and data", row);
        }
        long seq0 = row.longValue("seq0").orElse(-1);
        if (seq0 < 0) {
            throw fault(AdmissionRule.ROW_SEQ0, "seq0 to be an integer from 0 to 2^53-1", row.get("seq0"));
        }
        long time0 = row.longValue("time0")
                .orElseThrow(() ->
                        fault(AdmissionRule.ROW_TIME0, "time0 to be an integer within ±(2^53-1)", row.get("time0")));
        JsonObject data = dataOf(kind, member(row, "data"));
        for (String name : new String[] {"id", "name"}) {
            if (data.has(name) && data.string(name).isEmpty()) {
                throw fault(AdmissionRule.ROW_CALL_ID, name + " to be a string", data.get(name));
            }
        }
        for (String name : new String[] {"turn", "step", "index"}) {
            if (!(data.get(name) instanceof JsonNumber)) {
                throw fault(AdmissionRule.ROW_PLACE, name + " to be a number", data.get(name));
            }
        }
        JsonArray texts = textsOf(kind, data);
        JsonArray gaps = gapsOf(data);
        if (gaps.size() != texts.size() - 1) {
            throw fault(AdmissionRule.ROW_DT_LENGTH, "one gap fewer than the " + texts.size() + " members", gaps);
        }
        if (seq0 + texts.size() - 1 > JsonNumber.MAX_SAFE) {
            throw fault(
                    AdmissionRule.ROW_SEQ_RANGE,
                    "the seq of each of the " + texts.size() + " members to be at most 2^53-1",
                    row.get("seq0"));
        }
        ChunkRow admitted = new ChunkRow(kind, seq0, timesOf(time0, gaps), data, texts, limits);
        admitted.check();
        return admitted;
    }

    private static JsonObject dataOf(ChunkRowKind kind, Json json) {
        if (!(json instanceof JsonObject) && !(json instanceof JsonArray)) {
            throw fault(AdmissionRule.ROW_DATA, "data to be an object", json);
        }
        Set<String> names = kind.namesCall()
                ? Set.of("turn", "step", "index", "dt", "id", kind.texts())
                : Set.of("turn", "step", "index", "dt", kind.texts());
        if (json instanceof JsonObject data) {
            int named = kind.namesCall() && data.has("name") ? 1 : 0;
            if (data.size() == names.size() + named && names.stream().allMatch(data::has)) {
                return data;
            }
        }
        throw fault(
                AdmissionRule.ROW_DATA_KEYS,
                "data with exactly turn, step, index, dt, " + (kind.namesCall() ? "id, perhaps name, " : "") + "and "
                        + kind.texts(),
                json);
    }

    private static JsonArray textsOf(ChunkRowKind kind, JsonObject data) {
        if (!(data.get(kind.texts()) instanceof JsonArray texts) || texts.size() == 0) {
            throw fault(AdmissionRule.ROW_MEMBERS, kind.texts() + " to be a non-empty array", data.get(kind.texts()));
        }
        for (Json text : texts.items()) {
            if (!(text instanceof JsonString)) {
                throw fault(AdmissionRule.ROW_MEMBERS, kind.texts() + " to hold strings only", text);
            }
        }
        return texts;
    }

    private static JsonArray gapsOf(JsonObject data) {
        if (!(data.get("dt") instanceof JsonArray gaps)) {
            throw fault(AdmissionRule.ROW_DT, "dt to be an array", data.get("dt"));
        }
        for (Json gap : gaps.items()) {
            if (!(gap instanceof JsonNumber number) || number.safeInteger().isEmpty()) {
                throw fault(AdmissionRule.ROW_DT, "dt to hold integers within ±(2^53-1) only", gap);
            }
        }
        return gaps;
    }

    private static long[] timesOf(long time0, JsonArray gaps) {
        long[] times = new long[gaps.size() + 1];
        times[0] = time0;
        for (int i = 0; i < gaps.size(); i++) {
            // both within ±2^53, so the sum does not overflow
            times[i + 1] = times[i] + ((JsonNumber) gaps.get(i)).safeInteger().orElseThrow();
            if (Math.abs(times[i + 1]) > JsonNumber.MAX_SAFE) {
                throw fault(
                        AdmissionRule.ROW_TIME_RANGE,
                        "the time of each member to be within ±(2^53-1), also that of member " + (i + 1),
                        JsonNumber.of(times[i + 1]));
            }
        }
        return times;
    }

    /** Counts what each member and all of them would be as events, without making them. */
    private void check() {
        long most = ChunkRows.maxRowBytes(limits);
        int longest = 0;
        for (Json text : texts.items()) {
            longest = Math.max(longest, ((JsonString) text).value().length());
        }
        // a unit takes at most 6 bytes, so most rows need no counting
        long atMost = MOST_ENVELOPE + 3L * before.length() + 6L * longest;
        if (atMost <= limits.maxEventBytes() && atMost * times.length <= most) {
            return;
        }
        long fixed = get(0).utf8Bytes()
                - Long.toString(seq0).length()
                - Long.toString(times[0]).length()
                - JsonText.utf8Bytes(texts.get(0).toText());
        long sum = 0;
        for (int i = 0; i < times.length; i++) {
            long bytes = fixed
                    + Long.toString(seq0 + i).length()
                    + Long.toString(times[i]).length()
                    + JsonText.utf8Bytes(texts.get(i).toText());
            if (bytes > limits.maxEventBytes()) {
                throw new AdmissionException(
                        AdmissionRule.LIMIT_EVENT_BYTES,
                        i,
                        "expected at most " + limits.maxEventBytes()
                                + " bytes (surfacelog.limits.max-event-bytes), found a member of a chunk row that is an"
                                + " event of " + bytes + " bytes");
            }
            sum += bytes;
            if (sum > most) {
                throw new AdmissionException(
                        AdmissionRule.LIMIT_EVENT_BYTES,
                        i,
                        "expected a chunk row to unpack to at most " + most + " bytes, found more");
            }
        }
    }

    @Override
    public int size() {
        return times.length;
    }

    @Override
    public EventCandidate get(int i) {
        String text = ((JsonString) texts.get(i)).value();
        StringBuilder data = new StringBuilder(before.length() + text.length() + 8).append(before);
        JsonWriter.writeString(text, data);
        data.append(BEHIND);
        return EventCandidate.ofChecked(
                SessionEvent.chunk(seq0 + i, times[i], JsonText.ofCompact(data.toString()), place), limits);
    }

    private static Json member(JsonObject object, String name) {
        Json value = object.get(name);
        return value == null ? JsonNull.NULL : value;
    }

    private static AdmissionException fault(AdmissionRule rule, String expected, @Nullable Json found) {
        return new AdmissionException(rule, "expected " + expected + ", found " + Shape.found(found));
    }
}
