package io.surfacelog.web;

import io.surfacelog.command.ImportSession;
import io.surfacelog.command.Imported;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.transfer.JsonlLine;
import io.surfacelog.transfer.JsonlReader;
import io.surfacelog.transfer.JsonlTail;
import io.surfacelog.transfer.JsonlWriter;
import io.surfacelog.transfer.LogEvents;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Import and export of whole logs; both hold one record. */
final class TransferOperations {

    private static final String JSONL = "application/jsonl";
    private static final String ZSTD = "application/zstd";

    private final SessionCommands commands;
    private final EventStore store;
    private final EventLimits limits;
    private final long maxImport;

    TransferOperations(SessionCommands commands, EventStore store, EventLimits limits, long maxImport) {
        this.commands = commands;
        this.store = store;
        this.limits = limits;
        this.maxImport = maxImport;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/import", this::take, "as", "keepUnknown", "stampMarkers"),
                Route.get("/sessions/{session}/export", this::give, "format").streamed());
    }

    private void give(Call call) throws IOException {
        SessionId id = call.session();
        String format = call.parameter("format").orElse("jsonl");
        if (!Set.of("jsonl", "zstd").contains(format)) {
            throw ProblemException.badRequest("expected the parameter format to be jsonl or zstd, found another");
        }
        StoredSession seen = store.find(id).orElseThrow(() -> new UnknownSessionException(id));
        boolean zstd = format.equals("zstd");
        call.entityTag(seen.nextSeq());
        call.response().setContentType(zstd ? ZSTD : JSONL);
        // a fixed name: none that a session brings becomes that of a file
        call.response()
                .setHeader(
                        "Content-Disposition",
                        "attachment; filename=\"" + (zstd ? "session.jsonl.zstd" : "session.jsonl") + "\"");
        OutputStream out = call.response().getOutputStream();
        JsonlWriter writer = zstd ? JsonlWriter.openZstd(out, seen.header()) : JsonlWriter.open(out, seen.header());
        try {
            store.forEach(id, EventRange.of(0, seen.nextSeq()), event -> write(event, writer));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        // only a whole log is finished: after a failure the connection has to break off
        writer.close();
    }

    private static void write(SessionEvent event, JsonlWriter writer) {
        try {
            writer.write(event);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The whole body comes first: while an import is committed nobody else can write, and a client may be slow. */
    private void take(Call call) throws IOException {
        RequestBody.requireType(call.contentType(), JSONL, "application/x-ndjson", ZSTD, "application/octet-stream");
        boolean keepUnknown = call.flag("keepUnknown");
        boolean stampMarkers = call.flag("stampMarkers");
        Path upload = Files.createTempFile("surfacelog-upload-", ".part");
        try {
            try (InputStream in = RequestBody.bounded(call.request(), maxImport);
                    OutputStream out = Files.newOutputStream(upload)) {
                in.transferTo(out);
            }
            // the writer waits for the whole of it, and a few bytes of Zstandard may stand for very many
            if (JsonlReader.textBytes(upload, maxImport) > maxImport) {
                throw RequestBody.tooLarge(maxImport);
            }
            LogEvents.Reading reading = LogEvents.Reading.of(upload, limits, stampMarkers);
            EventTypes declared = EventTypes.standard().with(store.declaredTypes());
            EventTypes types = keepUnknown ? declared.with(types(upload)) : declared;
            try (LogEvents log = LogEvents.open(upload, reading, bytes -> {})) {
                SessionHeader header = log.header();
                SessionHeader named =
                        call.parameter("as").map(as -> header.withId(id(as))).orElse(header);
                tell(call, stored(log, named, types), log.tail());
            }
        } finally {
            Files.deleteIfExists(upload);
        }
    }

    /** All types of a log that can be read to its end; nothing of one that cannot, which its import will tell. */
    private Set<String> types(Path upload) throws IOException {
        Set<String> types = new TreeSet<>();
        try (JsonlReader reader = JsonlReader.open(upload, limits)) {
            for (JsonlLine next = reader.next(); next != null; next = reader.next()) {
                // a line of several events is a chunk row
                EventCandidate first = next.events().get(0);
                if (!first.ignorable()) {
                    types.add(first.type());
                }
            }
        } catch (AdmissionException toldByTheImport) {
            return Set.of();
        }
        return types;
    }

    private static SessionId id(String text) {
        if (text.isEmpty()) {
            throw ProblemException.badRequest("expected a session id in the parameter as, found an empty one");
        }
        return SessionId.of(text);
    }

    private Imported stored(LogEvents log, SessionHeader header, EventTypes types) throws IOException {
        try {
            return commands.importLog(new ImportSession(header, log, types));
        } catch (AdmissionException e) {
            throw e.line().isPresent() || e.at().isEmpty() ? e : e.line(log.line());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void tell(Call call, Imported imported, JsonlTail tail) throws IOException {
        call.created(JsonViews.path(call.base(), imported.session()));
        call.entityTag(imported.events());
        JsonObject.Builder json = JsonObject.builder()
                .put("session", imported.session().value())
                .put("path", JsonViews.path(call.base(), imported.session()))
                .put("events", imported.events())
                .put("torn", tail.isTorn());
        if (tail.isTorn()) {
            json.put("keptBytes", tail.keptBytes()).put("tornBytes", tail.tornBytes());
        }
        call.answer(json.build());
    }
}
