package io.surfacelog.transfer;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.ChunkRowLogs;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfaceOp;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A file read as an import reads it, with no other admission than that seqs are contiguous: what was let in, the fault
 * that ended it if there was one, and up to which byte the file is good.
 */
record ReadLog(
        SessionHeader header,
        List<EventCandidate> events,
        Optional<AdmissionException> fault,
        long goodBytes,
        long tornBytes) {

    static ReadLog of(byte[] file) throws IOException {
        return of(file, EventLimits.defaults());
    }

    static ReadLog of(byte[] file, EventLimits limits) throws IOException {
        List<EventCandidate> events = new ArrayList<>();
        try (JsonlReader reader = JsonlReader.open(new ByteArrayInputStream(file), limits)) {
            try {
                for (JsonlLine line = reader.next(); line != null; line = reader.next()) {
                    checkSeqs(line);
                    events.addAll(line.events());
                }
            } catch (AdmissionException fault) {
                return new ReadLog(reader.header(), events, Optional.of(fault), reader.offset(), 0);
            }
            JsonlTail tail = reader.tail();
            return new ReadLog(reader.header(), events, Optional.empty(), tail.keptBytes(), tail.tornBytes());
        }
    }

    private static void checkSeqs(JsonlLine line) {
        long expected = line.firstIndex();
        for (EventCandidate candidate : line.events()) {
            if (candidate.seq() != expected) {
                throw new AdmissionException(
                                AdmissionRule.SEQ_CONTIGUOUS,
                                expected,
                                "expected seq " + expected + ", found " + candidate.seq())
                        .line(line.number());
            }
            expected++;
        }
    }

    /** The refusal's rule and physical line, for example {@code json.syntax@4}. */
    String verdict() {
        return fault.map(refusal -> refusal.rule().code() + "@" + refusal.line().orElse(-1))
                .orElse("ok");
    }

    List<String> texts() {
        return events.stream().map(ChunkRowLogs::textOf).toList();
    }

    /** The file that a writer makes of what was read. */
    byte[] rewritten() throws IOException {
        return write(header, events.stream().map(ReadLog::event).toList());
    }

    static byte[] write(SessionHeader header, List<SessionEvent> events) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonlWriter writer = JsonlWriter.open(out, header)) {
            for (SessionEvent event : events) {
                writer.write(event);
            }
        }
        return out.toByteArray();
    }

    private static SessionEvent event(EventCandidate candidate) {
        return candidate
                .event()
                .orElseGet(() -> SessionEvent.of(
                        candidate.seq(),
                        candidate.time(),
                        candidate.type(),
                        candidate.data(),
                        candidate.surfaceOp() == null ? null : intent(candidate),
                        candidate.ignorable()));
    }

    private static SurfaceIntent intent(EventCandidate candidate) {
        SurfaceOp op = candidate.surfaceOp() instanceof JsonObject replace
                ? SurfaceOp.replace(
                        replace.longValue("start").orElseThrow(),
                        replace.longValue("end").orElseThrow())
                : SurfaceOp.append();
        Json sources = candidate.sourceEventSeqs();
        return SurfaceIntent.of(op, Optional.ofNullable(sources).map(ReadLog::seqs));
    }

    private static EventSeqs seqs(Json sources) {
        return EventSeqs.of(((JsonArray) sources)
                .items().stream()
                        .mapToLong(item -> ((JsonNumber) item).safeInteger().orElseThrow())
                        .toArray());
    }
}
