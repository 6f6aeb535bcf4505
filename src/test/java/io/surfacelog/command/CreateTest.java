package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventType;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonText;
import io.surfacelog.event.SessionEndSeed;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.LogBuilder;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Creating sessions: empty, from a seed, by import. */
class CreateTest extends StoreSuite {

    private static final SessionId ID = SessionId.of("s");

    private CommandStack stack;
    private SessionCommands commands;

    @BeforeEach
    void startStack() {
        stack = start();
        commands = stack.commands;
    }

    private static SessionEvent opaque(long seq, String type, Json data) {
        return SessionEvent.of(seq, 1_000, type, JsonText.of(data), null, false);
    }

    @Nested
    class WithoutEvents {

        @Test
        void keeps_the_header_and_begins_at_0() {
            SessionHeader header =
                    SessionHeader.builder().id(ID).cwd("/srv/app").build();

            assertThat(commands.create(header)).isEqualTo(ID);

            assertThat(stack.queries.header(ID)).isEqualTo(header);
            assertThat(stack.queries.nextSeq(ID)).isZero();
            assertThat(stored(ID)).isEmpty();
            assertThat(commands.append(ID, TurnStart.of(1)).seq()).isZero();
        }

        @Test
        void of_an_id_that_is_taken_is_refused_and_changes_nothing() {
            commands.create(header("s"));
            commands.append(ID, TurnStart.of(1));

            assertThatExceptionOfType(SessionExistsException.class)
                    .isThrownBy(() -> commands.create(header("s")))
                    .satisfies(e -> assertThat(e.session()).isEqualTo(ID));
            assertThat(stack.queries.nextSeq(ID)).isEqualTo(1);
        }

        @Test
        void of_an_id_that_another_process_has_taken_is_refused() {
            startAnotherProcess()
                    .commands
                    .create(header("s"), candidates(LogBuilder.log().user("a").events()));

            assertThatExceptionOfType(SessionExistsException.class).isThrownBy(() -> commands.create(header("s")));
            assertThat(stack.queries.nextSeq(ID)).isEqualTo(2);
        }
    }

    @Nested
    class FromASeed {

        @Test
        void ends_the_seed() {
            List<SessionEvent> seed = LogBuilder.log().turnStart(1).user("hi").events();

            Appended created = commands.create(CreateSession.seeded(header("s"), candidates(seed)));

            assertThat(created.nextSeq()).isEqualTo(3);
            assertThat(created.events().subList(0, 2)).isEqualTo(seed);
            assertThat(created.events().get(2).type()).isEqualTo(EventType.SESSION_END_SEED);
            assertThat(stored(ID)).isEqualTo(created.events());
            assertThat(stack.queries.messages(ID)).hasSize(1);
        }

        @Test
        void that_ends_in_an_end_adds_none() {
            List<SessionEvent> seed =
                    LogBuilder.log().user("hi").add(SessionEndSeed.of()).events();

            commands.create(header("s"), candidates(seed));

            assertThat(stored(ID)).isEqualTo(seed);
        }

        @Test
        void that_is_empty_is_ended_too() {
            commands.create(header("s"), List.of());

            assertThat(stored(ID)).extracting(SessionEvent::type).containsExactly(EventType.SESSION_END_SEED);
        }

        @Test
        void that_is_refused_creates_nothing() {
            List<SessionEvent> seed =
                    new ArrayList<>(LogBuilder.log().user("a").user("b").events());
            seed.set(
                    1,
                    SessionEvent.of(
                            5,
                            0,
                            "user/message",
                            seed.get(1).data(),
                            seed.get(1).intent().orElseThrow(),
                            false));

            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> commands.create(header("s"), candidates(seed)))
                    .satisfies(e -> assertThat(e.rule()).isEqualTo(AdmissionRule.SEQ_CONTIGUOUS))
                    .satisfies(e -> assertThat(e.at()).hasValue(1));

            assertThat(store().find(ID)).isEmpty();
            assertThat(stack.queries.exists(ID)).isFalse();
            assertThatExceptionOfType(UnknownSessionException.class).isThrownBy(() -> stack.queries.surface(ID));
            assertThat(commands.create(header("s"))).isEqualTo(ID);
        }

        @Test
        void that_passes_a_limit_by_one_is_refused_with_its_place() {
            CommandStack limited = start(CommandStack.on(store()).limits(new EventLimits(1_024)));
            SessionEvent fits = opaque(
                    0,
                    "hook/x",
                    Json.of("x"
                            .repeat(1_024
                                    - opaque(0, "hook/x", Json.of("")).toText().length())));
            SessionEvent larger = opaque(1, "hook/x", Json.of(fits.data().text()));
            assertThat(fits.toText()).hasSize(1_024);

            limited.commands.create(header("fits"), candidates(List.of(fits)));
            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> limited.commands.create(header("s"), candidates(List.of(fits, larger))))
                    .satisfies(e -> assertThat(e.rule()).isEqualTo(AdmissionRule.LIMIT_EVENT_BYTES))
                    .satisfies(e -> assertThat(e.at()).hasValue(1));

            // what is stored is read whatever its size, and may be appended to
            assertThat(start(CommandStack.on(store()).limits(new EventLimits(1_024)))
                            .queries
                            .surface(SessionId.of("fits"))
                            .nextSeq())
                    .isEqualTo(2);
        }

        @Test
        void that_is_one_level_too_deep_is_refused_with_its_place() {
            Json deep = JsonArray.of(List.of());
            for (int i = 1; i < 1_999; i++) {
                deep = JsonArray.of(List.of(deep));
            }
            Json deepest = deep;
            commands.create(header("fits"), candidates(List.of(opaque(0, "hook/x", deepest))));

            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> commands.create(
                            header("s"),
                            candidates(List.of(
                                    opaque(0, "hook/x", deepest),
                                    opaque(1, "hook/x", JsonArray.of(List.of(deepest)))))))
                    .satisfies(e -> assertThat(e.rule()).isEqualTo(AdmissionRule.LIMIT_DEPTH))
                    .satisfies(e -> assertThat(e.at()).hasValue(1));
        }
    }

    @Nested
    class ByImport {

        @Test
        void keeps_the_log_as_it_is() {
            Seeds.forEach(kind == StoreKind.MEMORY ? 40 : 8, seed -> {
                List<SessionEvent> log = SessionGenerator.any(seed).log();
                SessionId id = SessionId.of("import-" + seed);

                Appended created = commands.create(
                        CreateSession.imported(header(id.value()), candidates(log), EventTypes.standard()));

                assertThat(created.events()).isEqualTo(log);
                assertThat(stored(id)).isEqualTo(log);
                assertThat(stack.queries.surface(id).nodeSeqs())
                        .isEqualTo(Surface.empty().plan(log).after().nodeSeqs());
            });
        }

        @Test
        void records_the_types_it_brings_so_that_every_reader_loads_them() {
            List<EventCandidate> log = candidates(List.of(opaque(0, "vendor/known", Json.of(1))));

            commands.create(CreateSession.imported(
                    header("s"), log, EventTypes.standard().with(List.of("vendor/known", "vendor/unused"))));

            assertThat(store().declaredTypes()).containsExactly("vendor/known");
            assertThat(startAnotherProcess().queries.surface(ID).nextSeq()).isEqualTo(1);
        }

        @Test
        void with_every_type_taken_as_declared_records_those_it_met() {
            List<EventCandidate> log = candidates(List.of(opaque(0, "vendor/met", Json.of(1))));

            commands.create(CreateSession.imported(header("s"), log, EventTypes.any()));

            assertThat(store().declaredTypes()).containsExactly("vendor/met");
            assertThat(startAnotherProcess().queries.surface(ID).nextSeq()).isEqualTo(1);
        }

        @Test
        void that_is_refused_records_no_type() {
            List<EventCandidate> log =
                    candidates(List.of(opaque(0, "vendor/x", Json.of(1)), opaque(5, "vendor/x", Json.of(1))));

            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> commands.create(CreateSession.imported(header("s"), log, EventTypes.any())));
            commands.create(header("s"));
            assertThatExceptionOfType(SessionExistsException.class)
                    .isThrownBy(() ->
                            commands.create(CreateSession.imported(header("s"), log.subList(0, 1), EventTypes.any())));

            assertThat(store().declaredTypes()).isEmpty();
        }
    }
}
