package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.JsonText;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnStart;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.Aside;
import io.surfacelog.testing.LogBuilder;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A log of any length comes in by the same admission, as a whole or not at all. */
class ImportSessionTest extends StoreSuite {

    private static ImportSession of(String id, Iterator<EventCandidate> log) {
        return new ImportSession(header(id), log, EventTypes.standard());
    }

    private static ImportSession of(String id, List<SessionEvent> log) {
        return of(id, candidates(log).iterator());
    }

    private void nothingIsThere(String id, long position) {
        assertThat(store().find(SessionId.of(id))).isEmpty();
        assertThat(store().lastPosition()).isEqualTo(position);
    }

    @Test
    void stores_the_log_as_it_is_and_shows_its_surface_at_once() {
        CommandStack stack = start();
        Seeds.forEach(40, seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log();
            String id = "s" + seed;

            Imported imported = stack.commands.importLog(of(id, log));

            assertThat(imported).isEqualTo(new Imported(SessionId.of(id), log.size()));
            assertThat(stored(SessionId.of(id))).isEqualTo(log);
            Surface expected = Surface.empty().plan(log).after();
            assertThat(stack.projection.surface(SessionId.of(id)).nodeSeqs()).isEqualTo(expected.nodeSeqs());
            assertThat(stack.queries.messages(SessionId.of(id))).isEqualTo(expected.messages());
        });
    }

    @Test
    void goes_on_as_any_other_session() {
        CommandStack stack = start();
        stack.commands.importLog(
                of("s", LogBuilder.log().turnStart(1).user("hi").events()));

        stack.commands.appendAll(SessionId.of("s"), List.of(Drafts.say("there")));

        assertThat(storedNextSeq(SessionId.of("s"))).isEqualTo(3);
        assertThat(stack.queries.messages(SessionId.of("s"))).hasSize(2);
    }

    @Test
    void an_event_that_is_refused_anywhere_in_it_leaves_nothing() {
        CommandStack stack = start();
        List<SessionEvent> log = SessionGenerator.any(5).log(60);
        for (int at : new int[] {0, 1, 30, 58}) {
            List<SessionEvent> broken = new ArrayList<>(log);
            broken.remove(at);
            broken.add(log.get(log.size() - 1));

            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> stack.commands.importLog(of("s", broken)))
                    .satisfies(e -> assertThat(e.at()).hasValue(at));

            nothingIsThere("s", 0);
        }
        stack.commands.importLog(of("s", log));
    }

    @Test
    void what_the_iterator_throws_reaches_the_caller_as_it_is() {
        CommandStack stack = start();
        RuntimeException thrown = new IllegalStateException("the disk has gone");
        Iterator<EventCandidate> first =
                candidates(LogBuilder.log().turnStart(1).events()).iterator();

        assertThatThrownBy(() -> stack.commands.importLog(of("s", new Iterator<>() {

                    @Override
                    public boolean hasNext() {
                        return true;
                    }

                    @Override
                    public EventCandidate next() {
                        if (!first.hasNext()) {
                            throw thrown;
                        }
                        return first.next();
                    }
                })))
                .isSameAs(thrown);

        nothingIsThere("s", 0);
        stack.commands.create(header("s"));
    }

    @Test
    void an_id_that_is_taken_is_refused_before_the_log_is_read() {
        CommandStack stack = start();
        stack.commands.create(header("s"));
        Iterator<EventCandidate> untouched = new Iterator<>() {

            @Override
            public boolean hasNext() {
                throw new AssertionError("it was read");
            }

            @Override
            public EventCandidate next() {
                throw new AssertionError("it was read");
            }
        };

        assertThatExceptionOfType(SessionExistsException.class)
                .isThrownBy(() -> stack.commands.importLog(of("s", untouched)));
    }

    @Test
    void the_limits_of_an_event_hold_at_this_door_too() {
        CommandStack stack = start(CommandStack.on(store()).limits(new EventLimits(1_024)));
        List<SessionEvent> log = LogBuilder.log().user("x".repeat(2_000)).events();

        assertThatExceptionOfType(AdmissionException.class)
                .isThrownBy(() -> stack.commands.importLog(of("s", log)))
                .satisfies(e -> assertThat(e.rule()).isEqualTo(AdmissionRule.LIMIT_EVENT_BYTES))
                .satisfies(e -> assertThat(e.at()).hasValue(0));
        nothingIsThere("s", 0);
    }

    @Test
    void types_it_declares_are_on_record_before_its_events_are_and_no_others_pass() {
        CommandStack stack = start();
        List<SessionEvent> log = List.of(SessionEvent.of(0, 1, "vendor/cost", JsonText.ofCompact("1"), null, false));

        for (EventTypes types : List.of(EventTypes.standard(), EventTypes.any())) {
            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> stack.commands.importLog(
                            new ImportSession(header("s"), candidates(log).iterator(), types)))
                    .satisfies(e -> assertThat(e.rule()).isEqualTo(AdmissionRule.TYPE_UNDECLARED));
        }
        stack.commands.importLog(new ImportSession(
                header("s"), candidates(log).iterator(), EventTypes.standard().with(List.of("vendor/cost"))));

        assertThat(store().declaredTypes()).contains("vendor/cost");
        assertThat(startAnotherProcess().queries.nextSeq(SessionId.of("s"))).isEqualTo(1);
    }

    @Test
    void passes_the_interceptors_which_may_hand_on_another() {
        List<String> heard = new CopyOnWriteArrayList<>();
        CommandStack stack = start(CommandStack.on(store()).interceptor(new CommandInterceptor() {

            @Override
            @SuppressWarnings("unchecked")
            public <R> CompletableFuture<R> intercept(SessionCommand<R> command, Chain chain) {
                heard.add(command.getClass().getSimpleName());
                return command instanceof ImportSession load
                        ? (CompletableFuture<R>) chain.proceed(
                                new ImportSession(load.header(), Collections.emptyIterator(), load.types()))
                        : chain.proceed(command);
            }
        }));

        Imported imported =
                stack.commands.importLog(of("s", LogBuilder.log().turnStart(1).events()));

        assertThat(imported.events()).isZero();
        assertThat(heard).containsExactly("ImportSession");
    }

    @Test
    void the_log_cannot_be_written_by_whoever_reads_it() {
        CommandStack stack = start();
        stack.commands.create(header("other"));
        Iterator<EventCandidate> writing = new Iterator<>() {

            @Override
            public boolean hasNext() {
                stack.commands.append(SessionId.of("other"), TurnStart.of(1));
                return false;
            }

            @Override
            public EventCandidate next() {
                throw new AssertionError();
            }
        };

        assertThatThrownBy(() -> stack.commands.importLog(of("s", writing))).isInstanceOf(IllegalStateException.class);

        assertThat(storedNextSeq(SessionId.of("other"))).isZero();
        assertThat(store().find(SessionId.of("s"))).isEmpty();
    }

    @Test
    void other_writers_wait_and_lose_nothing() {
        CommandStack stack = start();
        SessionId other = stack.commands.create(header("other"));
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Iterator<EventCandidate> log =
                candidates(LogBuilder.log().turnStart(1).events()).iterator();
        Iterator<EventCandidate> slow = new Iterator<>() {

            @Override
            public boolean hasNext() {
                reading.countDown();
                Bounded.await(release);
                return log.hasNext();
            }

            @Override
            public EventCandidate next() {
                return log.next();
            }
        };
        CompletableFuture<Imported> imported = Aside.supply(() -> stack.commands.importLog(of("s", slow)));
        Bounded.await(reading);

        CompletableFuture<Appended> appended = stack.commands.appendAllAsync(other, List.of(Drafts.say("hi")));
        assertThat(appended).isNotDone();
        release.countDown();

        assertThat(imported.join().events()).isEqualTo(1);
        assertThat(appended.join().seq()).isZero();
        assertThat(store().commits(0, 10)).extracting("session").containsExactly(other, SessionId.of("s"), other);
    }

    @Test
    void a_store_that_is_shutting_down_takes_none() {
        CommandStack stack = start();
        stack.commands.close();

        assertThatThrownBy(() -> stack.commands.importLog(of("s", List.of()))).hasMessageContaining("shutting down");
    }
}
