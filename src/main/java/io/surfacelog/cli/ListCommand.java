package io.surfacelog.cli;

import io.surfacelog.event.SessionHeader;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.SessionPage;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoredLease;
import io.surfacelog.store.StoredSession;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code list}: the sessions of a database, newest first. */
@Command(name = "list", description = "Lists the sessions of the database, newest first.")
final class ListCommand extends StoreCommand {

    private static final DateTimeFormatter CREATED =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm").withZone(ZoneOffset.UTC);

    @Option(
            names = "--contains",
            paramLabel = "TEXT",
            converter = SessionIdArgument.Part.class,
            description = "Only sessions whose id contains this; json:\"…\" for what cannot be typed.")
    private @Nullable String contains;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "At most so many, from 1 (default: ${DEFAULT-VALUE}).")
    private int limit;

    ListCommand(Console console, Database database) {
        super(console, database);
    }

    @Override
    void checkUsage() {
        if (limit < 1) {
            throw wrongUsage("Expected --limit from 1, found " + limit + ".");
        }
    }

    @Override
    boolean run(Standalone store, Output out) throws IOException {
        SessionFilter filter = SessionFilter.all();
        if (contains != null) {
            filter = filter.idContaining(contains);
        }
        boolean colour = Ink.isWanted();
        out.line(Ink.FAINT.on(row("created (UTC)", "events", "on surface types", "session"), colour));
        int left = limit;
        boolean readable = true;
        while (true) {
            SessionPage page = store.queries().list(filter.limit(Math.min(left, 1_000)));
            for (StoredSession session : page.sessions()) {
                try {
                    out.line(row(session, driver(store, session)));
                } catch (DamagedStoreException e) {
                    out.line(row(session, ""));
                    console().say(Failure.sentence(e));
                    readable = false;
                }
            }
            for (StoreFault fault : page.damaged()) {
                console().say("A session cannot be listed: " + ShownText.visible(fault.toString()) + ".");
                readable = false;
            }
            left -= page.sessions().size();
            if (page.next().isEmpty()) {
                return readable;
            }
            if (left <= 0) {
                console().say("There are more sessions; --limit shows more of them.");
                return readable;
            }
            filter = filter.before(page.next().getAsLong());
        }
    }

    private static String driver(Standalone store, StoredSession session) {
        return store.store()
                .lease(session.id(), LeasePurpose.DRIVER)
                .filter(lease -> lease.isLive(System.currentTimeMillis()))
                .map(StoredLease::holder)
                .map(holder -> "  (driven by " + ShownText.visible(holder.description()) + ")")
                .orElse("");
    }

    private static String row(StoredSession session, String driver) {
        SessionHeader header = session.header();
        StringBuilder id = new StringBuilder(SessionIdArgument.typed(session.id()));
        header.parentSession()
                .ifPresent(parent ->
                        id.append("  (from ").append(ShownText.visible(parent)).append(')'));
        return row(
                CREATED.format(Instant.ofEpochMilli(header.createdAt())),
                Long.toString(session.nextSeq()),
                Long.toString(session.surfaceEvents()),
                id.append(driver).toString());
    }

    /** The id stands last and is never cut, so that it can be copied from here. */
    private static String row(String created, String events, String surfaceEvents, String id) {
        return ShownText.padded(created, 16, false) + "  " + ShownText.padded(events, 9, true) + "  "
                + ShownText.padded(surfaceEvents, 16, true) + "  " + id;
    }
}
