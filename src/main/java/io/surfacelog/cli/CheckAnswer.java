package io.surfacelog.cli;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.ToolResult;
import io.surfacelog.surface.Replacement;
import io.surfacelog.surface.StructureException;
import io.surfacelog.surface.Surface;
import io.surfacelog.transfer.JsonlRest;
import java.util.List;
import java.util.OptionalLong;

/** The verdict on one input, still without the name of the input. */
record CheckAnswer(boolean ok, JsonObject json) {

    static CheckAnswer accepted(
            Surface surface, List<Replacement> replacements, List<SessionEvent> closers, Surface recovered) {
        JsonObject json = JsonObject.builder()
                .put("ok", true)
                .put("events", surface.nextSeq())
                .put("nodes", SurfaceJson.seqs(surface.nodeSeqs()))
                .put("generation", surface.generation())
                .put("replacements", SurfaceJson.array(replacements, CheckAnswer::replacement))
                .put("messages", SurfaceJson.array(surface.messages(), CheckAnswer::id))
                .put("messageSeqs", SurfaceJson.seqs(surface.messageSeqs()))
                .put("requestHeader", SurfaceJson.requestHeader(surface))
                .put("requestContext", SurfaceJson.requestContext(surface))
                .put("closers", SurfaceJson.array(closers, CheckAnswer::closer))
                .put(
                        "recovered",
                        JsonObject.builder()
                                .put("nodes", SurfaceJson.seqs(recovered.nodeSeqs()))
                                .put("generation", recovered.generation())
                                .put("messageSeqs", SurfaceJson.seqs(recovered.messageSeqs()))
                                .build())
                .put("findings", SurfaceJson.array(surface.findings(), SurfaceJson::finding))
                .build();
        return new CheckAnswer(true, json);
    }

    static CheckAnswer refused(AdmissionException e) {
        return refused(e.rule().code(), e.detail(), e.at(), e.line());
    }

    static CheckAnswer refused(StructureException e, OptionalLong line) {
        return refused(e.rule().code(), e.detail(), OptionalLong.of(e.at()), line);
    }

    /** An input that could not be read at all. */
    static CheckAnswer unreadable(String message) {
        return refused("io", message, OptionalLong.empty(), OptionalLong.empty());
    }

    private static CheckAnswer refused(String rule, String message, OptionalLong at, OptionalLong line) {
        JsonObject.Builder json = JsonObject.builder().put("ok", false);
        at.ifPresent(index -> json.put("at", index));
        line.ifPresent(number -> json.put("line", number));
        return new CheckAnswer(
                false, json.put("rule", rule).put("message", message).build());
    }

    /** The same verdict with the one on the request; what a provider would refuse is no success. */
    CheckAnswer withRequest(SurfaceRequest request) {
        return new CheckAnswer(ok && request.ok(), json.with("request", request.verdict()));
    }

    /** The same verdict with how far the file was read. */
    CheckAnswer withBytes(long kept, long torn) {
        return new CheckAnswer(ok, json.with("keptBytes", JsonNumber.of(kept)).with("tornBytes", JsonNumber.of(torn)));
    }

    /** The same verdict with what was left out for it to be good, and why. */
    CheckAnswer leavingOut(CheckAnswer refusal, JsonlRest rest) {
        JsonObject.Builder leftOut = JsonObject.builder()
                .put("line", rest.firstLine())
                .put("offset", rest.offset())
                .put("bytes", rest.bytes());
        rest.lines().ifPresent(lines -> leftOut.put("lines", lines));
        for (String name : new String[] {"rule", "at", "message"}) {
            leftOut.putIfPresent(name, refusal.json.get(name));
        }
        return new CheckAnswer(ok, json.with("leftOut", leftOut.build()));
    }

    /** The answer as one line; the name of the input comes first. */
    String toLine(String key, Json input) {
        JsonObject.Builder line = JsonObject.builder().put(key, input);
        json.forEach(line::put);
        return line.build().toText();
    }

    private static Json replacement(Replacement replacement) {
        return JsonObject.builder()
                .put("seq", replacement.seq())
                .put("start", replacement.start())
                .put("end", replacement.end())
                .put("shadowed", replacement.shadowed().toJson())
                .build();
    }

    private static Json id(Message message) {
        return JsonString.of(message.id());
    }

    private static Json closer(SessionEvent event) {
        JsonObject.Builder closer = JsonObject.builder()
                .put("type", event.type())
                .put("seq", event.seq())
                .put("time", event.time());
        JsonObject data = (JsonObject) event.data().value();
        for (String name : new String[] {"turn", "step"}) {
            closer.putIfPresent(name, data.get(name));
        }
        if (event.payload() instanceof ToolResult result) {
            closer.put("callId", result.callId()).put("isError", result.block().isError());
            result.error().ifPresent(error -> closer.put("code", error.code()));
        }
        event.intent().ifPresent(intent -> {
            closer.put("surfaceOp", intent.op().toJson());
            intent.sources().map(EventSeqs::toJson).ifPresent(sources -> closer.put("sourceEventSeqs", sources));
        });
        if (event.type().equals(EventType.TURN_END)) {
            data.object("reason")
                    .flatMap(reason -> reason.string("kind"))
                    .ifPresent(kind -> closer.put("reason", kind));
        }
        return closer.build();
    }
}
