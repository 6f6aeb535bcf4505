package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.UserMessage;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.LogBuilder;
import io.surfacelog.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Two drivers that take the lease from each other, and break off where they like, plain appenders and recoveries, over two
 * processes on one store: nothing of a driver stands behind the taking of a later lease, and every turn is closed once.
 */
class DriverLawsTest extends StoreSuite {

    private static final String DRIVEN = "driven under ";

    /** Where the log ended when something was taken over: a lease, by its token, or, by a recovery, all up to then. */
    private record Taking(long token, long seq) {}

    private final Queue<Taking> takings = new ConcurrentLinkedQueue<>();

    private final Queue<DriverLease> drivers = new ConcurrentLinkedQueue<>();

    /** Every driver so far says something more, whether it still holds its lease or not. */
    private void speakLate() {
        for (DriverLease driver : drivers) {
            try {
                driver.append(LogBuilder.userMessage(DRIVEN + driver.token()), SurfaceIntent.append());
            } catch (LeaseLostException lost) {
                assertThat(driver.isHeld()).isFalse();
            }
        }
    }

    /** Runs some of a turn under a lease, and leaves it in whatever state it is in. */
    private void drive(SessionCommands commands, SessionId id, Random random) {
        DriverLease driver;
        try {
            driver = commands.drive(new DriveSession(id, random.nextInt(3) == 0));
        } catch (LeaseHeldException | AppendConflictException e) {
            return;
        }
        takings.add(new Taking(driver.token(), driver.recovered().firstSeq()));
        drivers.add(driver);
        try {
            int turns = 1 + random.nextInt(3);
            for (int i = 0; i < turns; i++) {
                long turn = 1
                        + stored(id).stream()
                                .filter(event -> event.type().equals(EventType.TURN_START))
                                .count();
                driver.append(TurnStart.of(turn));
                if (random.nextBoolean()) {
                    driver.append(LogBuilder.userMessage(DRIVEN + driver.token()), SurfaceIntent.append());
                }
                if (random.nextInt(4) == 0) {
                    return;
                }
                driver.appendAll(List.of(EventDraft.of(TurnEnd.of(turn, TurnEndReason.completed()))));
            }
        } catch (LeaseLostException lost) {
            assertThat(driver.isHeld()).isFalse();
        } finally {
            if (random.nextInt(3) > 0) {
                driver.close();
            }
        }
    }

    private void act(SessionCommands commands, SessionId id, Random random) {
        switch (random.nextInt(6)) {
            case 0, 1 -> drive(commands, id, random);
            case 2 -> {
                try {
                    commands.recover(new RecoverSession(id, random.nextBoolean()));
                } catch (LeaseHeldException | AppendConflictException e) {
                    // somebody drives, or others were faster
                }
            }
            case 3 -> speakLate();
            default -> commands.append(id, LogBuilder.userMessage("plain"), SurfaceIntent.append());
        }
    }

    private void check(SessionId id, CommandStack any) {
        any.commands.recover(RecoverSession.forced(id));
        List<SessionEvent> log = stored(id);
        Surface surface = Surface.empty().plan(log).after();
        assertThat(surface.hasOpenTurn()).isFalse();
        // a turn that is closed twice, or opened by two drivers, is a finding
        assertThat(surface.findings()).isEmpty();
        Map<Long, Long> taken = new TreeMap<>();
        takings.forEach(taking -> assertThat(taken.put(taking.token(), taking.seq()))
                .as("token %d", taking.token())
                .isNull());
        long last = 0;
        for (Map.Entry<Long, Long> taking : taken.entrySet()) {
            assertThat(taking.getValue()).as("token %d", taking.getKey()).isGreaterThanOrEqualTo(last);
            last = taking.getValue();
        }
        for (SessionEvent event : log) {
            if (event.payload() instanceof UserMessage message
                    && message.message().text().startsWith(DRIVEN)) {
                long token = Long.parseLong(message.message().text().substring(DRIVEN.length()));
                taken.forEach((later, at) -> {
                    assertThat(later <= token || event.seq() < at)
                            .as("event %d under token %d, and token %d given at %d", event.seq(), token, later, at)
                            .isTrue();
                });
            }
        }
    }

    @Test
    void one_after_the_other() {
        Seeds.forEach(kind == StoreKind.MEMORY ? 40 : 8, seed -> {
            takings.clear();
            drivers.clear();
            Random random = new Random(seed);
            CommandStack here = start();
            CommandStack there = startAnotherProcess();
            SessionId id = here.commands.create(header("s" + seed));
            for (int i = 0; i < 60; i++) {
                act((random.nextBoolean() ? here : there).commands, id, random);
            }
            check(id, here);
            assertThat(takings).isNotEmpty();
        });
    }

    @Test
    void all_at_once() {
        Seeds.forEach(kind == StoreKind.MEMORY ? 10 : 3, seed -> {
            takings.clear();
            drivers.clear();
            CommandStack here = start();
            CommandStack there = startAnotherProcess();
            SessionId id = here.commands.create(header("s" + seed));
            ExecutorService threads = Executors.newFixedThreadPool(6);
            try {
                List<Future<?>> running = new ArrayList<>();
                for (int t = 0; t < 6; t++) {
                    SessionCommands commands = (t % 2 == 0 ? here : there).commands;
                    Random random = new Random(seed * 31 + t);
                    running.add(threads.submit(() -> {
                        for (int i = 0; i < 25; i++) {
                            act(commands, id, random);
                        }
                    }));
                }
                for (Future<?> one : running) {
                    one.get(60, TimeUnit.SECONDS);
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            } finally {
                threads.shutdown();
            }
            check(id, here);
        });
    }
}
