package io.surfacelog.cli;

import io.surfacelog.event.SessionId;
import io.surfacelog.provider.Provider;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code messages}: what the model sees. */
@Command(
        name = "messages",
        description = "Prints the messages the model sees, in order; or saw after an earlier event.")
final class MessagesCommand extends StoreCommand {

    @Parameters(paramLabel = "SESSION", converter = SessionIdArgument.class, description = SessionIdArgument.HELP)
    private @Nullable SessionId session;

    @Option(names = "--as-of", paramLabel = "SEQ", description = "As they were after this event.")
    private @Nullable Long asOf;

    @Option(names = "--json", description = "One JSON message per line, verbatim.")
    private boolean json;

    @Option(
            names = "--provider",
            paramLabel = "openai|anthropic|deepseek",
            description = "The request for this provider instead, as one JSON object; what was adjusted is told on"
                    + " standard error, or with --json beside it.")
    private @Nullable Provider provider;

    MessagesCommand(Console console, Database database) {
        super(console, database);
    }

    @Override
    boolean run(Standalone store, Output out) throws IOException {
        SessionId id = Objects.requireNonNull(session);
        Surface surface =
                asOf == null ? store.queries().surface(id) : store.queries().surfaceAsOf(id, asOf);
        if (provider != null) {
            return printRequest(SurfaceRequest.of(provider, surface), out);
        }
        boolean colour = Ink.isWanted();
        for (SurfaceNode node : surface.messageNodes()) {
            if (json) {
                out.line(JsonLine.of(node.message().json()));
            } else {
                for (String line : MessageLines.of(node.seq(), node.message(), colour)) {
                    out.line(line);
                }
            }
        }
        return true;
    }

    private boolean printRequest(SurfaceRequest request, Output out) throws IOException {
        if (json) {
            out.line(JsonLine.of(request.whole()));
        } else {
            out.line(JsonLine.of(request.rendered().body()));
            request.sentences().forEach(console()::say);
        }
        return request.ok();
    }
}
