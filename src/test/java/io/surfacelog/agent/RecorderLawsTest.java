package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.AppendConflictException;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.DriveSession;
import io.surfacelog.command.DriverLease;
import io.surfacelog.command.FaultyStore;
import io.surfacelog.command.LeaseLostException;
import io.surfacelog.command.StoreSuite;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.ContextMessage;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.RequestContext;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SteeringMessage;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolError;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.Usage;
import io.surfacelog.event.UserMessage;
import io.surfacelog.model.ModelException;
import io.surfacelog.model.ToolOutput;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Whoever calls the parts of a recorder in any order, legal or not, with tools on several threads, while commits fail, others
 * append and leases are lost: what is in the log is well formed, cites exactly what it was made of, and is balanced once the
 * turn is closed; and what was refused has changed nothing.
 */
class RecorderLawsTest extends StoreSuite {

    private static final JsonObject HEADER =
            RequestHeader.of("acme", "m-1", null, RequestHeader.INITIAL).header();
    private static final ToolError FAILED = new ToolError("Failed", "TOOL_FAILED");

    private final ExecutorService tools = Executors.newFixedThreadPool(3);

    @AfterEach
    void stopTools() {
        tools.shutdownNow();
    }

    /** One session, and whatever parts of its recorders there have been. */
    private final class Run {

        private final Random random;
        private final FaultyStore faulty = new FaultyStore(store());
        private final CommandStack stack = start(CommandStack.on(faulty));
        private final SessionId id;
        private final AtomicInteger failing = new AtomicInteger();
        private final List<DriverLease> drivers = new ArrayList<>();
        private final List<RecordedTurn> turns = new ArrayList<>();
        private final List<RecordedStep> steps = new ArrayList<>();
        private final List<RecordedAttempt> attempts = new ArrayList<>();
        private final List<ToolCallBlock> asked = new ArrayList<>();
        private final List<RecordedCall> calls = new ArrayList<>();
        private final boolean faults;
        private TurnRecorder recorder;
        private int refusals;

        Run(long seed) {
            random = new Random(seed);
            id = stack.commands.create(header("s" + seed));
            faults = seed % 2 == 1;
            recorder = drive();
            faulty.insteadOfCommit(writes -> {
                if (failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new StoreUnavailableException(StoreUnavailableException.Reason.IO, "it is full");
                }
                return java.util.Optional.empty();
            });
        }

        private TurnRecorder drive() {
            DriverLease driver = stack.commands.drive(DriveSession.forced(id));
            drivers.add(driver);
            return TurnRecorder.of(driver, stack.queries);
        }

        /** Mostly the last one, sometimes one that is over. */
        private <T> T pick(List<T> parts) {
            return parts.get(random.nextInt(6) > 0 ? parts.size() - 1 : random.nextInt(parts.size()));
        }

        void act() {
            boolean looked = random.nextInt(3) == 0;
            List<SessionEvent> before = looked ? log() : List.of();
            boolean calm = failing.get() == 0;
            try {
                one();
            } catch (RecorderException | AdmissionException e) {
                refusals++;
                if (looked && calm) {
                    assertThat(log()).as(e.getMessage()).isEqualTo(before);
                }
            } catch (StoreUnavailableException | AppendConflictException | LeaseLostException e) {
                assertThat(faults).as("a failure without a fault: %s", e).isTrue();
            }
        }

        private void one() {
            int what = random.nextInt(40);
            if (what < 5 || turns.isEmpty()) {
                turns.add(random.nextBoolean() ? recorder.startTurn() : recorder.startTurn(UserMessage.of("hi")));
            } else if (what < 9 || steps.isEmpty()) {
                steps.add(pick(turns).startStep());
            } else if (what < 13 || attempts.isEmpty()) {
                RecordedStep step = pick(steps);
                step.header(random.nextInt(8) == 0 ? JsonObject.EMPTY : HEADER);
                attempts.add(step.attempt());
            } else if (what < 22) {
                pick(attempts).chunk(chunk());
            } else if (what < 25) {
                asked.addAll(pick(attempts).complete().message().toolCalls());
            } else if (what < 28) {
                otherEnd(pick(attempts));
            } else if (what < 34 && !asked.isEmpty()) {
                callTools(pick(steps));
            } else if (what < 36) {
                pick(steps).end();
            } else if (what < 37) {
                closeOne();
            } else if (what < 38) {
                aside();
            } else if (what < 39) {
                pick(turns).end(TurnEndReason.completed());
            } else {
                disturb();
            }
        }

        private StreamChunk chunk() {
            return switch (random.nextInt(7)) {
                case 0 -> StreamChunk.reasoning(0, "hm ");
                case 1, 2 ->
                    StreamChunk.toolCall(
                            random.nextInt(3), random.nextBoolean() ? "" : "c" + random.nextInt(3), "read", "{");
                case 3 -> StreamChunk.usage(Usage.of(1, 1));
                case 4 -> StreamChunk.finish("stop");
                case 5 -> StreamChunk.of(JsonObject.builder().put("type", "odd").build());
                default -> StreamChunk.text(random.nextInt(2), "t" + random.nextInt(100));
            };
        }

        private void otherEnd(RecordedAttempt attempt) {
            ModelException error = ModelException.of(ModelException.Kind.TRANSIENT, "E", "e");
            switch (random.nextInt(5)) {
                case 0 -> attempt.interrupted();
                case 1 -> attempt.failed(error);
                case 2 -> attempt.failed(error, Duration.ofMillis(1));
                case 3 ->
                    asked.addAll(attempt.complete(Message.assistant(
                                    "acme",
                                    "m-1",
                                    TextBlock.of("own"),
                                    ToolCallBlock.of("o" + random.nextInt(2), "read", "{}"),
                                    ToolCallBlock.of("o" + random.nextInt(3), "read", "{}")))
                            .message()
                            .toolCalls());
                default -> attempt.finishReason();
            }
        }

        private void callTools(RecordedStep step) {
            switch (random.nextInt(6)) {
                case 0 -> step.resultsInCallOrder();
                case 1 -> step.notStarted(pick(asked), FAILED, "no");
                case 2 -> calls.add(step.call(pick(asked)));
                case 3 -> {
                    if (!calls.isEmpty()) {
                        pick(calls).failed(FAILED, "no");
                    }
                }
                default -> runTools(step);
            }
        }

        /** Starts what is left, and answers most of it from several threads. */
        private void runTools(RecordedStep step) {
            List<RecordedCall> started = new ArrayList<>();
            for (ToolCallBlock call : step.unanswered()) {
                try {
                    started.add(step.call(call));
                } catch (RecorderException startedBefore) {
                    refusals++;
                }
            }
            calls.addAll(started);
            List<Future<?>> running = new ArrayList<>();
            for (RecordedCall call : started) {
                if (random.nextInt(6) > 0) {
                    running.add(tools.submit(
                            () -> call.result(ToolOutput.text(call.block().id()))));
                }
            }
            for (Future<?> one : running) {
                await(one);
            }
        }

        private void await(Future<?> one) {
            try {
                one.get(30, TimeUnit.SECONDS);
            } catch (java.util.concurrent.ExecutionException e) {
                if (!(e.getCause() instanceof RecorderException)) {
                    assertThat(e.getCause())
                            .isInstanceOfAny(
                                    StoreUnavailableException.class,
                                    AppendConflictException.class,
                                    LeaseLostException.class);
                }
            } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
                throw new AssertionError(e);
            }
        }

        private void closeOne() {
            switch (random.nextInt(3)) {
                case 0 -> pick(turns).close();
                case 1 -> pick(steps).close();
                default -> pick(attempts).close();
            }
        }

        private void aside() {
            RecordedTurn turn = pick(turns);
            switch (random.nextInt(6)) {
                case 0 -> turn.user(UserMessage.of("more"));
                case 1 ->
                    turn.steering(new SteeringMessage(UserMessage.of("steer").json()));
                case 2 ->
                    turn.context(new ContextMessage(UserMessage.of("context").json()));
                case 3 -> turn.ending(TurnEndReason.aborted("user"));
                case 4 -> pick(steps).context(RequestContext.of("acme", "m-1", random.nextLong(3)));
                default -> recorder.flush();
            }
        }

        private void disturb() {
            if (!faults || random.nextInt(3) == 0) {
                stack.commands.append(id, UserMessage.of("plain"), SurfaceIntent.append());
            } else if (random.nextInt(4) > 0) {
                failing.set(1 + random.nextInt(3));
            } else {
                failing.set(0);
                recorder = drive();
            }
        }

        List<SessionEvent> log() {
            stack.commands.flush(id);
            return stored(id);
        }

        /** Closes what is open, by whoever still can. */
        void close() {
            faulty.heal();
            for (RecordedTurn turn : turns) {
                try {
                    turn.close();
                } catch (StoreUnavailableException | AppendConflictException | LeaseLostException e) {
                    // a chunk that was lost before and told of now
                    turn.close();
                }
                assertThat(turn.isOpen()).isFalse();
            }
            if (drivers.size() > 1) {
                // whether a turn of a driver before was closed is the business of the next one
                recorder.startTurn().close();
            }
        }
    }

    @Test
    void what_it_writes_is_well_formed_and_what_it_refuses_changes_nothing() {
        AtomicInteger events = new AtomicInteger();
        AtomicInteger refusals = new AtomicInteger();
        Seeds.forEach(60, seed -> {
            Run run = new Run(seed);
            for (int i = 0; i < 220; i++) {
                run.act();
            }
            run.close();
            List<SessionEvent> log = run.log();
            Surface surface = Surface.empty().plan(log).after();
            assertThat(surface.findings()).isEmpty();
            assertThat(surface.hasOpenTurn()).isFalse();
            new CitedChunks(log, run.faults).check();
            events.addAndGet(log.size());
            refusals.addAndGet(run.refusals);
            run.stack.commands.close();
        });
        assertThat(events.get()).isGreaterThan(1_000);
        assertThat(refusals.get()).isGreaterThan(100);
    }
}
