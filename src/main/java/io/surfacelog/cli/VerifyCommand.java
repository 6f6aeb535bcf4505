package io.surfacelog.cli;

import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.projection.SessionVerifier;
import io.surfacelog.projection.VerifyReport;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.surface.Finding;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code verify}: compares what is stored with its checksums, its hash and a fold from the start. */
@Command(
        name = "verify",
        description = {
            "Reads every row of a session, compares checksums, counts and hash, folds the log from the start, and compares",
            "the checkpoint with that.",
            "Findings of the structure rules are shown; they are no failure."
        },
        exitCodeList = {"0:everything is sound", "1:something is not sound, or failed", ExitCodes.USAGE})
final class VerifyCommand extends StoreCommand {

    @Parameters(
            arity = "0..1",
            paramLabel = "SESSION",
            converter = SessionIdArgument.class,
            description = SessionIdArgument.HELP)
    private @Nullable SessionId session;

    @Option(
            names = "--all",
            description = "Every session, and what belongs to none: commits, indexes, the file itself.")
    private boolean all;

    VerifyCommand(Console console, Database database) {
        super(console, database);
    }

    @Override
    void checkUsage() {
        if (all == (session != null)) {
            throw wrongUsage("Expected either a session or --all.");
        }
    }

    @Override
    boolean run(Standalone store, Output out) throws IOException {
        SessionVerifier verifier = store.verifier();
        if (!all) {
            return print(verifier.verify(Objects.requireNonNull(session)), out);
        }
        List<StoreFault> shared = verifier.verifyShared();
        out.line("what belongs to no session: " + (shared.isEmpty() ? "sound" : "not sound"));
        for (StoreFault fault : shared) {
            out.line("  fault: " + ShownText.visible(fault.toString()));
        }
        return allSessions(store.queries(), verifier, out) && shared.isEmpty();
    }

    static boolean allSessions(SessionQueries queries, SessionVerifier verifier, Output out) throws IOException {
        return AllSessions.each(queries, out, ": not sound", id -> listed(id, verifier, out));
    }

    private static boolean listed(SessionId id, SessionVerifier verifier, Output out) throws IOException {
        try {
            return print(verifier.verify(id), out);
        } catch (UnknownSessionException e) {
            out.line(SessionIdArgument.typed(id) + ": not sound");
            out.line("  fault: it is among the sessions, but is not found by its id");
            return false;
        } catch (DamagedStoreException e) {
            out.line(SessionIdArgument.typed(id) + ": not sound");
            out.line("  fault: " + ShownText.visible(e.fault().toString()));
            return false;
        }
    }

    private static boolean print(VerifyReport report, Output out) throws IOException {
        out.line(SessionIdArgument.typed(report.session()) + ": " + (report.isSound() ? "sound" : "not sound") + ", "
                + Preview.count(report.events(), "event"));
        for (StoreFault fault : report.faults()) {
            out.line("  fault: " + ShownText.visible(fault.toString()));
        }
        for (Finding finding : report.findings()) {
            out.line("  finding: " + finding.rule().code() + " at event " + finding.seq() + ": "
                    + ShownText.visible(finding.message()));
        }
        out.flush();
        return report.isSound();
    }
}
