package io.surfacelog.event;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The first record of a session: its id, when it was created and where it came from. Members it does not know are kept.
 *
 * <pre>{@code
 * SessionHeader header = SessionHeader.builder().cwd("/srv/app").build();
 * }</pre>
 *
 * <p>Immutable; equal when the JSON values are.
 */
public final class SessionHeader {

    /** The version of the session format that this library reads and writes. */
    public static final int VERSION = 0;

    /** The only origin the format names: the session was started by another one's agent. */
    public static final String SUBAGENT = "subagent";

    /** POSIX, a Windows drive, or a UNC path, whatever this host is. */
    private static final Pattern ABSOLUTE = Pattern.compile("(?s)/.*|[A-Za-z]:[\\\\/].*|\\\\\\\\[^\\\\/]+[\\\\/].*");

    private final JsonObject json;

    private SessionHeader(JsonObject json) {
        this.json = json;
    }

    /** A header with a new random id, created now. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Admits a header record.
     *
     * @param json the record, with or without the member {@code type} that files have
     * @throws AdmissionException {@code head.*} with the first rule broken; {@code head.version} before all others
     */
    public static SessionHeader of(Json json) {
        if (!(json instanceof JsonObject header)) {
            throw new AdmissionException(
                    AdmissionRule.HEAD_RECORD, "expected a header object, found " + Shape.found(json));
        }
        checkVersion(header.get("version"));
        checkMembers(header);
        JsonObject kept = header.without("type");
        return new SessionHeader(kept.has("delegationDepth") ? kept : kept.with("delegationDepth", JsonNumber.of(0)));
    }

    private static void checkVersion(@Nullable Json version) {
        OptionalLong number = version instanceof JsonNumber found ? found.safeInteger() : OptionalLong.empty();
        if (number.isPresent() && number.getAsLong() == VERSION) {
            return;
        }
        String cause = number.isEmpty()
                ? "which is no version"
                : number.getAsLong() > VERSION
                        ? "which a newer version has written: read it with that version"
                        : "which an older version has written: it is not supported";
        throw new AdmissionException(
                AdmissionRule.HEAD_VERSION,
                "expected version " + VERSION + ", found " + Shape.found(version) + ", " + cause);
    }

    private static void checkMembers(JsonObject header) {
        for (String retired : new String[] {"sandboxMode", "approvalPolicy"}) {
            if (header.has(retired)) {
                throw new AdmissionException(
                        AdmissionRule.HEAD_RETIRED, "expected no retired member, found " + retired);
            }
        }
        if (header.string("id").filter(id -> !id.isEmpty()).isEmpty()) {
            throw fault(AdmissionRule.HEAD_ID, header, "id", "a non-empty string");
        }
        checkNatural(AdmissionRule.HEAD_CREATED_AT, header, "createdAt", true);
        if (header.has("cwd")
                && header.string("cwd")
                        .filter(cwd -> ABSOLUTE.matcher(cwd).matches())
                        .isEmpty()) {
            throw fault(AdmissionRule.HEAD_CWD, header, "cwd", "an absolute POSIX, Windows drive or UNC path");
        }
        checkString(AdmissionRule.HEAD_PARENT, header, "parentSession");
        checkNatural(AdmissionRule.HEAD_SEED_LENGTH, header, "seedLength", false);
        if (header.has("origin")
                && !header.string("origin").filter(SUBAGENT::equals).isPresent()) {
            throw fault(AdmissionRule.HEAD_ORIGIN, header, "origin", "\"subagent\"");
        }
        checkNatural(AdmissionRule.HEAD_DEPTH, header, "delegationDepth", false);
        checkString(AdmissionRule.HEAD_PRESET, header, "agentPreset");
    }

    private static void checkNatural(AdmissionRule rule, JsonObject header, String name, boolean required) {
        boolean absent = !header.has(name);
        if (absent ? required : header.longValue(name).orElse(-1) < 0) {
            throw fault(rule, header, name, "an integer from 0 to 2^53-1");
        }
    }

    private static void checkString(AdmissionRule rule, JsonObject header, String name) {
        if (header.has(name) && header.string(name).isEmpty()) {
            throw fault(rule, header, name, "a string");
        }
    }

    private static AdmissionException fault(AdmissionRule rule, JsonObject header, String name, String expected) {
        return new AdmissionException(
                rule, "expected " + name + " to be " + expected + ", found " + Shape.found(header.get(name)));
    }

    /** The header as JSON, without the member {@code type} that files have; unknown members included. */
    public JsonObject json() {
        return json;
    }

    public SessionId id() {
        return SessionId.of(json.string("id").orElseThrow());
    }

    /** Unix epoch milliseconds. */
    public long createdAt() {
        return json.longValue("createdAt").orElseThrow();
    }

    /** The working directory, an absolute path on whatever host it was. */
    public Optional<String> cwd() {
        return json.string("cwd");
    }

    /** The session this one was forked from or started by. */
    public Optional<String> parentSession() {
        return json.string("parentSession");
    }

    /** How many events were inherited. */
    public OptionalLong seedLength() {
        return json.longValue("seedLength");
    }

    public Optional<String> origin() {
        return json.string("origin");
    }

    /** How many agents stand above this one; 0 for a session that a person started. */
    public long delegationDepth() {
        return json.longValue("delegationDepth").orElse(0);
    }

    public Optional<String> agentPreset() {
        return json.string("agentPreset");
    }

    /** The same header for another session. */
    public SessionHeader withId(SessionId id) {
        return new SessionHeader(json.with("id", JsonString.of(id.value())));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SessionHeader that && json.equals(that.json);
    }

    @Override
    public int hashCode() {
        return json.hashCode();
    }

    @Override
    public String toString() {
        return json.toText();
    }

    /** Collects the members of a header; not safe for use by several threads. */
    public static final class Builder {

        private SessionId id = SessionId.random();
        private long createdAt = System.currentTimeMillis();
        private final JsonObject.Builder members = JsonObject.builder();

        private Builder() {}

        /** The id; a new random one unless set. */
        public Builder id(SessionId sessionId) {
            this.id = sessionId;
            return this;
        }

        /** Unix epoch milliseconds; the time of {@link SessionHeader#builder()} unless set. */
        public Builder createdAt(long millis) {
            this.createdAt = millis;
            return this;
        }

        /** An absolute POSIX, Windows drive or UNC path. */
        public Builder cwd(String cwd) {
            members.put("cwd", cwd);
            return this;
        }

        public Builder parentSession(SessionId parent) {
            members.put("parentSession", parent.value());
            return this;
        }

        public Builder seedLength(long events) {
            members.put("seedLength", events);
            return this;
        }

        /** Marks the session as started by another one's agent. */
        public Builder subagent() {
            members.put("origin", SUBAGENT);
            return this;
        }

        public Builder delegationDepth(long depth) {
            members.put("delegationDepth", depth);
            return this;
        }

        public Builder agentPreset(String preset) {
            members.put("agentPreset", preset);
            return this;
        }

        /** A member the format does not name. */
        public Builder member(String name, Json value) {
            members.put(name, value);
            return this;
        }

        /**
         * The header.
         *
         * @throws AdmissionException {@code head.*} if a member breaks a rule
         */
        public SessionHeader build() {
            JsonObject.Builder header = JsonObject.builder()
                    .put("version", VERSION)
                    .put("id", id.value())
                    .put("createdAt", createdAt);
            members.build().forEach(header::put);
            return SessionHeader.of(header.build());
        }
    }
}
