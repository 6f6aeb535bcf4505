package io.surfacelog.testing;

import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNull;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceOp;
import io.surfacelog.surface.Surface;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Breaks one event of an admitted log in one way, and says by which rule it must be refused.
 *
 * <pre>{@code
 * BrokenEvent broken = new LogMutator(17).breakOne(log);
 * // log.subList(0, broken.at()) is sound; broken.text() is refused by broken.rule()
 * }</pre>
 */
public final class LogMutator {

    private final SplittableRandom random;
    private final List<BrokenEvent> ways = new ArrayList<>();

    public LogMutator(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** One of the ways in which an event of the log can be broken. */
    public BrokenEvent breakOne(List<SessionEvent> log) {
        List<BrokenEvent> all = breakAll(log, random.nextInt(log.size()));
        return all.get(random.nextInt(all.size()));
    }

    /** All ways that suit the event at this index. */
    public List<BrokenEvent> breakAll(List<SessionEvent> log, int at) {
        ways.clear();
        SessionEvent event = log.get(at);
        Surface before = Surface.empty().plan(log.subList(0, at)).after();
        Ways breaks = new Ways(at, event, before);
        breaks.envelope();
        breaks.type();
        if (event.isSurface()) {
            breaks.marker();
            breaks.replace();
            breaks.sources();
            breaks.rewrite();
        } else {
            breaks.logOnly();
        }
        PayloadBreaks.of(event.type(), event.data().value()).forEach(breaks::data);
        return List.copyOf(ways);
    }

    /** The ways for one event; each leaves the event sound in all that is checked before the rule it breaks. */
    private final class Ways {

        private final int at;
        private final SessionEvent event;
        private final JsonObject json;
        private final long[] nodes;
        private final Surface before;

        Ways(int at, SessionEvent event, Surface before) {
            this.at = at;
            this.event = event;
            this.json = event.toJson();
            this.before = before;
            this.nodes = before.nodeSeqs();
        }

        private void text(AdmissionRule rule, String what, String text) {
            ways.add(new BrokenEvent(at, text, rule, what + " on " + event.type()));
        }

        private void with(AdmissionRule rule, String member, String value) {
            text(
                    rule,
                    member + " " + value,
                    json.with(member, Json.parse(value)).toText());
        }

        private void without(AdmissionRule rule, String member) {
            text(rule, "no " + member, json.without(member).toText());
        }

        void data(PayloadBreaks.Break way) {
            text(way.rule(), way.what(), json.with("data", way.data()).toText());
        }

        void envelope() {
            String text = json.toText();
            text(AdmissionRule.JSON_SYNTAX, "cut short", text.substring(0, 1 + random.nextInt(text.length() - 1)));
            text(AdmissionRule.JSON_SYNTAX, "key twice", "{\"seq\":" + at + "," + text.substring(1));
            text(AdmissionRule.JSON_SYNTAX, "more behind it", text + "{}");
            String loss = List.of("-0", "1e400", "-0.0", "-1e-400").get(random.nextInt(4));
            text(AdmissionRule.JSON_LOSSLESS, loss, "{\"x\":[" + loss + "]," + text.substring(1));
            String deep = "[".repeat(2000) + "]".repeat(2000);
            text(AdmissionRule.LIMIT_DEPTH, "too deep", "{\"x\":" + deep + "," + text.substring(1));
            with(AdmissionRule.ENVELOPE, "x", "1");
            with(AdmissionRule.ENVELOPE, "type", "\"\"");
            with(AdmissionRule.ENVELOPE, "type", "1");
            with(AdmissionRule.ENVELOPE, "seq", "\"" + at + "\"");
            with(AdmissionRule.ENVELOPE, "seq", "-1");
            with(AdmissionRule.ENVELOPE, "time", "0.5");
            with(AdmissionRule.ENVELOPE, "time", "9007199254740992");
            with(AdmissionRule.ENVELOPE, "ignorable", "false");
            without(AdmissionRule.ENVELOPE, "type");
            without(AdmissionRule.ENVELOPE, "seq");
            without(AdmissionRule.ENVELOPE, "time");
            without(AdmissionRule.ENVELOPE, "data");
        }

        void type() {
            with(AdmissionRule.LEGACY_HEADER_DELTA, "type", "\"request/header-delta\"");
            with(AdmissionRule.LEGACY_MODE_SET, "type", "\"mode/set\"");
            text(
                    AdmissionRule.TYPE_UNDECLARED,
                    "undeclared",
                    json.without("ignorable")
                            .with("type", Json.of("nobody/knows"))
                            .toText());
            with(AdmissionRule.SEQ_CONTIGUOUS, "seq", Integer.toString(at + 1 + random.nextInt(3)));
            if (at > 0) {
                with(AdmissionRule.SEQ_CONTIGUOUS, "seq", Integer.toString(random.nextInt(at)));
            }
        }

        void logOnly() {
            with(AdmissionRule.SURFACE_OP_NOT_ALLOWED, "surfaceOp", "\"append\"");
            with(AdmissionRule.SURFACE_OP_NOT_ALLOWED, "surfaceOp", "null");
            with(AdmissionRule.SURFACE_SOURCES_NOT_ALLOWED, "sourceEventSeqs", "[]");
            with(AdmissionRule.SURFACE_SOURCES_NOT_ALLOWED, "sourceEventSeqs", "null");
        }

        void marker() {
            without(AdmissionRule.SURFACE_OP_MISSING, "surfaceOp");
            for (String bad : List.of("null", "true", "\"replace\"", "[]", "0")) {
                with(AdmissionRule.SURFACE_OP_BAD, "surfaceOp", bad);
            }
            for (String bad : List.of(
                    "{}",
                    "{\"op\":\"append\"}",
                    "{\"op\":\"replace\",\"start\":0}",
                    "{\"op\":\"replace\",\"start\":0,\"end\":-1}",
                    "{\"op\":\"replace\",\"start\":0.5,\"end\":0}",
                    "{\"op\":\"replace\",\"start\":0,\"end\":\"0\"}",
                    "{\"op\":\"replace\",\"start\":0,\"end\":0,\"x\":0}")) {
                with(AdmissionRule.SURFACE_OP_BAD_REPLACE, "surfaceOp", bad);
            }
        }

        private void op(AdmissionRule rule, long start, long end, long... cited) {
            JsonObject changed =
                    json.with("surfaceOp", SurfaceOp.replace(start, end).toJson());
            text(
                    rule,
                    "replace " + start + " to " + end,
                    (cited.length == 0
                                    ? changed
                                    : changed.with(
                                            "sourceEventSeqs",
                                            EventSeqs.of(cited).toJson()))
                            .toText());
        }

        void replace() {
            op(AdmissionRule.REPLACE_START_ABSENT, at, at);
            if (nodes.length > 0) {
                op(AdmissionRule.REPLACE_END_ABSENT, nodes[random.nextInt(nodes.length)], at);
            }
            if (nodes.length > 1) {
                int end = random.nextInt(nodes.length - 1);
                op(AdmissionRule.REPLACE_ORDER, nodes[random.nextInt(end + 1, nodes.length)], nodes[end]);
            }
        }

        void sources() {
            with(AdmissionRule.SOURCES_NOT_ARRAY, "sourceEventSeqs", "{\"0\":0}");
            with(AdmissionRule.SOURCES_NOT_ARRAY, "sourceEventSeqs", "null");
            if (!event.type().equals(EventType.ASSISTANT_MESSAGE)) {
                with(AdmissionRule.SOURCES_EMPTY, "sourceEventSeqs", "[]");
            }
            for (String bad : List.of("[-1]", "[0.5]", "[\"0\"]", "[null]", "[9007199254740992]")) {
                with(AdmissionRule.SOURCES_BAD_SEQ, "sourceEventSeqs", bad);
            }
            with(AdmissionRule.SOURCES_DUPLICATE, "sourceEventSeqs", "[5,0,5]");
            with(AdmissionRule.SOURCES_DUPLICATE, "sourceEventSeqs", "[1.0,1]");
            with(AdmissionRule.SOURCES_NOT_EARLIER, "sourceEventSeqs", "[" + at + "]");
            if (event.intent().orElseThrow().op() instanceof SurfaceOp.Replace replace) {
                without(AdmissionRule.SOURCES_MISSING_SHADOWED, "sourceEventSeqs");
                JsonArray cited = json.array("sourceEventSeqs").orElseThrow();
                List<Json> fewer = new ArrayList<>(cited.items());
                fewer.remove(JsonNumber.of(random.nextBoolean() ? replace.start() : replace.end()));
                if (!fewer.isEmpty()) {
                    with(
                            AdmissionRule.SOURCES_MISSING_SHADOWED,
                            "sourceEventSeqs",
                            JsonArray.of(fewer).toText());
                }
            }
        }

        void rewrite() {
            if (!event.type().equals(EventType.TOOL_RESULT)) {
                return;
            }
            if (nodes.length > 1) {
                int first = random.nextInt(nodes.length - 1);
                op(AdmissionRule.REWRITE_ONE_NODE, nodes[first], nodes[first + 1], nodes[first], nodes[first + 1]);
            }
            for (long node : nodes) {
                if (!before.node(node).orElseThrow().event().type().equals(EventType.TOOL_RESULT)) {
                    op(AdmissionRule.REWRITE_TARGET, node, node, node);
                    break;
                }
            }
            if (!event.intent().orElseThrow().isAppend()) {
                JsonObject data = (JsonObject) event.data().value();
                text(
                        AdmissionRule.REWRITE_CONTENT_ONLY,
                        "other meta",
                        json.with("data", data.with("only-here", JsonNull.NULL)).toText());
            }
        }
    }
}
