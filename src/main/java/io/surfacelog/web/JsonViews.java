package io.surfacelog.web;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoredSession;
import io.surfacelog.surface.Finding;
import io.surfacelog.surface.Replacement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** What the API tells of sessions and their parts, as JSON. */
final class JsonViews {

    private JsonViews() {}

    static String path(String base, SessionId id) {
        return base + "/sessions/" + UrlText.encode(id.value());
    }

    static JsonObject.Builder session(StoredSession session, String base) {
        return JsonObject.builder()
                .put("id", session.id().value())
                .put("path", path(base, session.id()))
                .put("header", session.header().json())
                .put("nextSeq", session.nextSeq())
                .put("surfaceEvents", session.surfaceEvents());
    }

    static JsonObject fault(StoreFault fault) {
        JsonObject.Builder json = JsonObject.builder().put("where", fault.where());
        if (fault.session() != null) {
            json.put("session", fault.session().value());
        }
        fault.seq().ifPresent(seq -> json.put("seq", seq));
        return json.put("detail", fault.detail()).build();
    }

    static JsonObject finding(Finding finding) {
        return JsonObject.builder()
                .put("rule", finding.rule().code())
                .put("seq", finding.seq())
                .put("message", finding.message())
                .build();
    }

    static JsonObject replacement(Replacement replacement) {
        return JsonObject.builder()
                .put("seq", replacement.seq())
                .put("start", replacement.start())
                .put("end", replacement.end())
                .put("shadowed", seqs(replacement.shadowed()))
                .build();
    }

    /** Runs, since a few may stand for more seqs than memory holds: {@code "5,3,10-12"}. */
    static Json seqs(EventSeqs seqs) {
        return Json.of(seqs.toText());
    }

    static JsonArray seqs(long[] seqs) {
        List<Json> items = new ArrayList<>(seqs.length);
        for (long seq : seqs) {
            items.add(JsonNumber.of(seq));
        }
        return JsonArray.of(items);
    }

    static JsonArray ids(Collection<SessionId> ids) {
        return array(ids, id -> Json.of(id.value()));
    }

    static <T> JsonArray array(Collection<T> values, Function<T, Json> toJson) {
        return JsonArray.of(values.stream().map(toJson).toList());
    }

    static JsonArray events(List<SessionEvent> events) {
        return array(events, SessionEvent::toJson);
    }
}
