package io.surfacelog.cli;

import io.surfacelog.event.SessionId;
import io.surfacelog.stream.StreamPosition;
import io.surfacelog.stream.StreamRequest;
import io.surfacelog.stream.StreamSubscription;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code tail}: what is committed, by any process, as it comes. */
@Command(
        name = "tail",
        description = {
            "Follows a session, or all of them: prints what any process commits, as it comes, until it is interrupted.",
            "Streamed text is shown as it comes, on one line. At the end it says on standard error where to go on."
        })
final class TailCommand extends StoreCommand {

    private static final long FLUSH_MILLIS = 50;
    private static final long END_SECONDS = 8;
    private static final String START = "start";

    /** A position as it is typed. */
    static final class Position implements ITypeConverter<StreamPosition> {

        @Override
        public StreamPosition convert(String typed) {
            try {
                return typed.equals(START) ? StreamPosition.BEGINNING : StreamPosition.parse(typed);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage() + ", and not " + START);
            }
        }
    }

    @Parameters(
            arity = "0..1",
            paramLabel = "SESSION",
            converter = SessionIdArgument.class,
            description = SessionIdArgument.HELP)
    private @Nullable SessionId session;

    @Option(names = "--all", description = "All sessions, in the order in which their events were committed.")
    private boolean all;

    @Option(
            names = "--from",
            paramLabel = "POSITION",
            converter = Position.class,
            description = "What comes after this position, or all from the " + START
                    + " (default: what is committed from now on).")
    private @Nullable StreamPosition from;

    @Option(names = "--json", description = "One JSON object per event: position, session, event.")
    private boolean json;

    TailCommand(Console console, Database database) {
        super(console, database);
    }

    @Override
    void checkUsage() {
        if (all == (session != null)) {
            throw wrongUsage("Expected a SESSION or --all, found " + (all ? "both." : "neither."));
        }
    }

    @Override
    boolean run(Standalone store, Output out) throws IOException {
        TailLines lines = new TailLines(out, session == null, json);
        Interruption interruption = new Interruption();
        Thread hook = new Thread(interruption::interrupt, "surfacelog-tail-end");
        if (!add(hook)) {
            console().say("Stopped before it began.");
            return true;
        }
        try (StreamSubscription subscription = store.stream().subscribe(request(), lines)) {
            interruption.stops(subscription);
            awaitEnd(subscription, lines);
            lines.finish();
            console().say("Stopped; --from " + subscription.position() + " goes on there.");
            interruption.done(true);
            return true;
        } finally {
            interruption.done(false);
            remove(hook);
        }
    }

    /** Returns false if the process is about to end. */
    private static boolean add(Thread hook) {
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            return true;
        } catch (IllegalStateException shuttingDown) {
            return false;
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // then it is running
        }
    }

    private StreamRequest request() {
        StreamRequest request = session == null ? StreamRequest.all() : StreamRequest.of(session);
        if (from == null) {
            return request;
        }
        return from.equals(StreamPosition.BEGINNING) ? request.fromBeginning() : request.after(from);
    }

    /** Shows what was printed, from time to time: an event that comes in a crowd need not be shown alone. */
    private static void awaitEnd(StreamSubscription subscription, TailLines lines) throws IOException {
        while (true) {
            try {
                subscription.ended().get(FLUSH_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException stillRunning) {
                lines.flush();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (ExecutionException e) {
                throw TailLines.failure(e.getCause());
            }
        }
    }

    /** Turns the signal that would end the process into an end of the command, which then ends with its own exit code. */
    private static final class Interruption {

        private final CountDownLatch done = new CountDownLatch(1);
        private volatile @Nullable StreamSubscription running;
        private volatile boolean interrupted;
        private volatile boolean well;

        void stops(StreamSubscription subscription) {
            running = subscription;
            if (interrupted) {
                subscription.close();
            }
        }

        private void interrupt() {
            interrupted = true;
            StreamSubscription subscription = running;
            if (subscription == null) {
                return;
            }
            subscription.close();
            try {
                if (done.await(END_SECONDS, TimeUnit.SECONDS) && well) {
                    // nothing was written by this process, and all it printed is out
                    Runtime.getRuntime().halt(0);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** What it says first counts. */
        void done(boolean all) {
            if (done.getCount() > 0) {
                well = all;
                done.countDown();
            }
        }
    }
}
