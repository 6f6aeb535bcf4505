package io.surfacelog.cli;

import io.surfacelog.command.Appended;
import io.surfacelog.command.CreateSession;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.transfer.JsonlLine;
import io.surfacelog.transfer.JsonlReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What the program does without a command: takes the bundled sample session into the database, closes what a crash left
 * open in it, and shows what there is to see. Done again, it finds the session there.
 */
final class SampleRun {

    private static final String SAMPLE = "sample-session.jsonl";

    private final Console console;
    private final Database database;

    SampleRun(Console console, Database database) {
        this.console = console;
        this.database = database;
    }

    void run() throws IOException {
        boolean colour = Ink.isWanted();
        try (Standalone standalone = database.open();
                Output out = console.output()) {
            out.line("Database: " + standalone.store().info().location());
            SessionId id = take(standalone, out);
            recover(standalone, id, out, colour);
            SessionViews views = new SessionViews(out, standalone.queries(), colour, Table.WIDTH);
            views.transcript(id);
            views.surface(id);
            views.messages(id);
        }
    }

    private SessionId take(Standalone standalone, Output out) throws IOException {
        List<EventCandidate> log = new ArrayList<>();
        SessionHeader header;
        try (JsonlReader reader = JsonlReader.open(sample(), EventLimits.defaults())) {
            header = reader.header();
            for (JsonlLine line = reader.next(); line != null; line = reader.next()) {
                log.addAll(line.events());
            }
        }
        SessionId id = header.id();
        if (standalone.queries().exists(id)) {
            out.line("Found:    session " + id + " with "
                    + Preview.count(standalone.queries().nextSeq(id), "event") + "; nothing was imported");
        } else {
            standalone.commands().create(CreateSession.imported(header, log, EventTypes.standard()));
            out.line("Imported: session " + id + " with " + Preview.count(log.size(), "event")
                    + ", from the sample that comes with the program");
        }
        return id;
    }

    private void recover(Standalone standalone, SessionId id, Output out, boolean colour) throws IOException {
        Appended closers = standalone.commands().recover(id);
        if (closers.events().isEmpty()) {
            out.line("Recovery: nothing was left open");
            return;
        }
        out.line("Recovery: the log broke off in the middle of a turn; closed by "
                + Preview.count(closers.events().size(), "event"));
        Table table = new Table(
                Table.WIDTH, colour, Table.right("seq", 9), Table.left("type", 17), Table.rest("what it says"));
        for (SessionEvent event : closers.events()) {
            out.line(table.row(Ink.PLAIN, String.valueOf(event.seq()), event.type(), Preview.of(event)));
        }
    }

    private static InputStream sample() {
        return Objects.requireNonNull(SampleRun.class.getResourceAsStream(SAMPLE), SAMPLE);
    }
}
