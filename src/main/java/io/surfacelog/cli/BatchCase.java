package io.surfacelog.cli;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonNull;
import io.surfacelog.event.JsonParts;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.surface.LogReader;
import io.surfacelog.surface.StructureException;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One line of a batch: {@code {"id", "sessionId"?, "header"?, "log":[events]}}. Other members are passed over, so that
 * files which say more about a case can be fed as they are.
 *
 * @param id what the case is called, JSON null where that cannot be told
 * @param answer the verdict
 */
record BatchCase(Json id, CheckAnswer answer) {

    static BatchCase check(byte[] line, CheckSettings settings) {
        JsonParts parts;
        try {
            parts = JsonParts.read(InputLines.decode(line), "log");
        } catch (CharacterCodingException e) {
            return new BatchCase(JsonNull.NULL, CheckAnswer.refused(syntax("expected UTF-8, found malformed bytes")));
        } catch (AdmissionException e) {
            return new BatchCase(JsonNull.NULL, CheckAnswer.refused(e));
        }
        JsonParts.Part id = parts.member("id");
        Json name = id == null || id.fault() != null ? JsonNull.NULL : id.value();
        try {
            return new BatchCase(name, fold(parts, settings));
        } catch (AdmissionException e) {
            return new BatchCase(name, CheckAnswer.refused(e));
        } catch (StructureException e) {
            return new BatchCase(name, CheckAnswer.refused(e, OptionalLong.empty()));
        }
    }

    private static CheckAnswer fold(JsonParts parts, CheckSettings settings) {
        for (JsonParts.Part part : parts.members().values()) {
            if (part.fault() != null && part.fault().rule() == AdmissionRule.JSON_SYNTAX) {
                throw part.fault();
            }
        }
        JsonParts.Part id = parts.member("id");
        if (id != null) {
            id.admitted();
        }
        String sessionId = sessionId(parts.member("sessionId"));
        JsonParts.Part header = parts.member("header");
        if (header != null) {
            SessionHeader admitted = CheckedLog.header(header);
            if (sessionId != null) {
                CheckedLog.requireId(admitted, sessionId);
            }
        }
        List<JsonParts.Part> log = parts.items();
        if (log == null) {
            throw syntax("expected a case with a \"log\" that is an array of events, found none");
        }
        CheckedLog checked = new CheckedLog(settings);
        List<SessionEvent> events = new ArrayList<>(log.size());
        for (JsonParts.Part part : log) {
            events.add(checked.add(candidate(part, events.size(), settings)));
        }
        return checked.answer(LogReader.of(events));
    }

    private static @Nullable String sessionId(JsonParts.@Nullable Part part) {
        if (part == null) {
            return null;
        }
        if (part.admitted() instanceof JsonString string && !string.value().isEmpty()) {
            return string.value();
        }
        throw new AdmissionException(
                AdmissionRule.HEAD_ID, "expected sessionId to be absent or a non-empty string, found another value");
    }

    /** Faults of syntax concern the text of the case, all others the event. */
    private static EventCandidate candidate(JsonParts.Part part, long index, CheckSettings settings) {
        try {
            return EventCandidate.of(part.admitted(), settings.limits());
        } catch (AdmissionException e) {
            throw e.rule() == AdmissionRule.JSON_SYNTAX ? e : e.at(index);
        }
    }

    private static AdmissionException syntax(String detail) {
        return new AdmissionException(AdmissionRule.JSON_SYNTAX, detail);
    }
}
