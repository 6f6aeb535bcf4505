package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.conformance.Vectors;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventType;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.EventStore;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.LogBuilder;
import io.surfacelog.testing.SharedFolder;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Forks: where they may begin, what they inherit, and what they cost. */
class ForkTest extends StoreSuite {

    private static final SessionId SOURCE = SessionId.of("src");
    private static final SessionId CHILD = SessionId.of("child");

    private CommandStack stack;

    @BeforeEach
    void startStack() {
        stack = start();
    }

    private void store(SessionHeader header, List<SessionEvent> log) {
        stack.commands.create(CreateSession.imported(header, candidates(log), EventTypes.standard()));
    }

    private static List<SessionEvent> twoTurns() {
        return LogBuilder.log()
                .turnStart(1)
                .user("one")
                .turnEnd()
                .turnStart(2)
                .user("two")
                .turnEnd()
                .events();
    }

    private void refused(ForkSession fork, ForkException.Code code) {
        long position = stack.store.lastPosition();
        assertThatExceptionOfType(ForkException.class)
                .isThrownBy(() -> stack.commands.fork(fork))
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
        assertThat(stack.store.lastPosition()).isEqualTo(position);
    }

    @Nested
    class Recorded {

        @Test
        void forks_agree_with_every_vector() {
            if (kind == StoreKind.MEMORY) {
                agree(Vectors.read("fork"), 220);
            } else {
                agree(Vectors.read("fork").subList(0, 40), 40);
            }
        }

        private void agree(List<JsonObject> vectors, int cases) {
            int[] tests = {0};
            Vectors.agree(vectors, cases, vector -> {
                String name = Vectors.id(vector);
                JsonObject given = vector.object("header").orElseThrow();
                JsonObject.Builder header =
                        JsonObject.builder().put("version", 0).put("id", name).put("createdAt", 1);
                given.forEach(header::put);
                List<EventCandidate> log = Vectors.items(vector, "log").stream()
                        .map(event -> EventCandidate.of(event, EventLimits.defaults()))
                        .toList();
                stack.commands.create(
                        CreateSession.imported(SessionHeader.of(header.build()), log, EventTypes.standard()));
                for (Json test : Vectors.items(vector, "tests")) {
                    String difference = difference(name, (JsonObject) test);
                    if (difference != null) {
                        return difference + " in " + test.toText();
                    }
                    tests[0]++;
                }
                return null;
            });
            assertThat(tests[0]).isGreaterThan(cases);
        }

        private @Nullable String difference(String name, JsonObject test) {
            String from = test.string("source").orElse("");
            if (from.startsWith("detached")) {
                return null; // an object of a session that is not live: there is none here
            }
            SessionId source = SessionId.of(from.equals("missing-id") ? name + "-missing" : name);
            ForkSession fork = ForkSession.of(source);
            Json boundary = test.get("boundary");
            fork = boundary == null ? fork : fork.at(boundary);
            if (test.string("childId").isPresent()) {
                fork = fork.as(SessionId.of(name));
            }
            JsonObject expect = test.object("expect").orElseThrow();
            try {
                Forked forked = stack.commands.fork(fork);
                Surface surface = stack.queries.surface(forked.session());
                SessionHeader header = stack.queries.header(forked.session());
                List<SessionEvent> log = stored(forked.session());
                boolean same = expect.string("code").isEmpty()
                        && forked.seedLength() == Vectors.number(expect, "seedLength")
                        && log.size() == Vectors.number(expect, "childLen")
                        && log.get(log.size() - 1)
                                .type()
                                .equals(expect.string("lastType").orElseThrow())
                        && Vectors.numbers(surface.nodeSeqs()).items().equals(Vectors.items(expect, "nodes"))
                        && surface.generation() == Vectors.number(expect, "gen")
                        && surface.messages().stream()
                                .map(message -> (Json) io.surfacelog.event.JsonString.of(message.id()))
                                .toList()
                                .equals(Vectors.items(expect, "msgs"))
                        && header.parentSession().orElseThrow().equals(name)
                        && header.cwd().equals(expect.string("cwd"));
                return same ? null : "forked as " + header + " with " + surface;
            } catch (ForkException e) {
                return expect.string("code")
                                .equals(java.util.Optional.of(e.code().name()))
                        ? null
                        : e.toString();
            }
        }

        @Test
        void fork_boundaries_that_people_have_reported_are_kept() throws IOException {
            List<EventCandidate> log = new ArrayList<>();
            List<String> lines =
                    Files.readAllLines(SharedFolder.bugCases().resolve("B38.jsonl"), StandardCharsets.UTF_8);
            for (String line : lines.subList(1, lines.size())) {
                log.add(EventCandidate.of(Json.parse(line), EventLimits.defaults()));
            }
            stack.commands.create(CreateSession.imported(header("parent"), log, EventTypes.standard()));
            SessionId parent = SessionId.of("parent");
            int steps = 0;
            for (Json item : SharedFolder.json(SharedFolder.bugCases().resolve("B38.json"))
                    .array("steps")
                    .orElseThrow()
                    .items()) {
                JsonObject step = (JsonObject) item;
                ForkSession fork = ForkSession.of(parent);
                Json boundary = step.get("boundary");
                fork = boundary == null ? fork : fork.at(boundary);
                if (step.string("childId").isPresent()) {
                    fork = fork.as(SessionId.of(step.string("childId").get()));
                }
                String expect = step.string("expect").orElseThrow();
                if (expect.startsWith("child")) {
                    Forked forked = stack.commands.fork(fork);
                    assertThat(forked.seedLength()).isEqualTo(6);
                    assertThat(forked.events().get(0).seq()).isEqualTo(6);
                    assertThat(forked.events().get(0).type()).isEqualTo(EventType.SESSION_END_SEED);
                    assertThat(forked.header().parentSession()).contains("parent");
                } else {
                    refused(fork, ForkException.Code.valueOf(expect.split("[ ,]", 0)[0]));
                }
                steps++;
            }
            assertThat(steps).isEqualTo(8);
            stack.commands.recover(parent);
            assertThat(stack.commands.fork(parent).nextSeq()).isEqualTo(12);
        }
    }

    @Nested
    class Boundary {

        @Test
        void codes_come_in_their_order() {
            store(header("src"), LogBuilder.log().turnStart(1).user("hi").events());
            ForkSession fork = ForkSession.of(SessionId.of("nobody")).at(-1);
            refused(fork.as(SOURCE), ForkException.Code.SESSION_ALREADY_EXISTS);
            refused(fork, ForkException.Code.SESSION_NOT_FOUND);
            refused(ForkSession.of(SOURCE).at(7), ForkException.Code.INVALID_BOUNDARY);
            refused(ForkSession.of(SOURCE).at(JsonNumber.ofDigits("0.5")), ForkException.Code.INVALID_BOUNDARY);
            refused(ForkSession.of(SOURCE).at(1), ForkException.Code.OPEN_TURN);
        }

        @Test
        void inside_an_open_turn_can_be_moved_before_all_turns_that_are_open() {
            LogBuilder log = LogBuilder.log().addAll(twoTurns()).turnStart(3);
            for (int i = 0; i < 500; i++) {
                log.chunk(StreamChunk.text(0, "x"));
            }
            store(header("src"), log.turnStart(4).user("never answered").events());

            refused(ForkSession.of(SOURCE), ForkException.Code.OPEN_TURN);
            Forked forked = stack.commands.fork(ForkSession.of(SOURCE).beforeOpenTurns());
            assertThat(forked.seedLength()).isEqualTo(6);
            assertThat(stack.commands
                            .fork(ForkSession.of(SOURCE).at(1).beforeOpenTurns())
                            .seedLength())
                    .isZero();
        }

        @Test
        void of_a_cold_session_does_not_open_it() {
            store(header("src"), twoTurns());
            CommandStack other = startAnotherProcess();
            other.commands.fork(SOURCE);
            assertThat(other.projection.liveSessions()).isZero();
        }
    }

    @Nested
    class Child {

        @Test
        void inherits_what_describes_the_agent_and_has_the_rest_of_its_own() {
            store(
                    SessionHeader.builder()
                            .id(SOURCE)
                            .cwd("/srv")
                            .subagent()
                            .agentPreset("helper")
                            .delegationDepth(2)
                            .member("x", Json.of(1))
                            .build(),
                    twoTurns());

            Forked forked = stack.commands.fork(ForkSession.of(SOURCE).at(2).as(CHILD));

            SessionHeader header = stack.queries.header(CHILD);
            assertThat(header).isEqualTo(forked.header());
            assertThat(header.cwd()).contains("/srv");
            assertThat(header.origin()).contains(SessionHeader.SUBAGENT);
            assertThat(header.agentPreset()).contains("helper");
            assertThat(header.delegationDepth()).isEqualTo(2);
            assertThat(header.parentSession()).contains("src");
            assertThat(header.seedLength()).hasValue(3);
            assertThat(header.json().has("x")).isFalse();
        }

        @Test
        void has_no_second_end_seed_and_no_keys_of_its_source() {
            store(header("src"), twoTurns());
            EventDraft draft = EventDraft.of(TurnStart.of(3));
            SessionId first = stack.commands.fork(SOURCE).session();
            assertThat(stack.commands.fork(ForkSession.of(first)).events()).isEmpty();
            stack.commands.append(AppendEvents.to(SOURCE, List.of(draft)).idempotencyKey("k"));
            SessionId second = stack.commands
                    .fork(ForkSession.of(SOURCE).beforeOpenTurns())
                    .session();
            assertThat(stack.commands
                            .append(AppendEvents.to(second, List.of(draft)).idempotencyKey("k"))
                            .repeated())
                    .isFalse();
        }

        @Test
        void is_told_to_listeners_from_its_own_first_event_on() throws Exception {
            List<String> heard = java.util.Collections.synchronizedList(new ArrayList<>());
            CommandStack listening = CommandStack.on(store())
                    .listener(told ->
                            heard.add(told.session() + " " + told.event().seq()))
                    .start();
            try (listening) {
                listening.commands.create(
                        CreateSession.imported(header("src"), candidates(twoTurns()), EventTypes.standard()));
                listening.commands.fork(ForkSession.of(SOURCE).as(CHILD));
                listening.commands.append(CHILD, LogBuilder.userMessage("on"), SurfaceIntent.append());
            }
            assertThat(heard).contains("child 6", "child 7").doesNotContain("child 0", "child 5");
        }

        @Test
        void leaves_its_source_as_it_was() {
            store(header("src"), twoTurns());
            stack.commands.fork(ForkSession.of(SOURCE).as(CHILD));
            stack.commands.append(CHILD, LogBuilder.userMessage("on"), SurfaceIntent.append());
            stack.commands.append(SOURCE, LogBuilder.userMessage("off"), SurfaceIntent.append());
            assertThat(stored(SOURCE)).hasSize(7);
            assertThat(stored(CHILD)).hasSize(8);
            assertThat(stored(CHILD).subList(0, 6)).isEqualTo(twoTurns());
        }
    }

    @Test
    void at_the_tail_reads_and_writes_next_to_nothing_however_long_the_log() {
        int turns = kind == StoreKind.SQLITE ? 1_000 : 100;
        List<SessionEvent> log = new ArrayList<>();
        LogBuilder turn = LogBuilder.log().turnStart(1).user("q").stepStart(1);
        for (int i = 0; i < 95; i++) {
            turn.chunk(StreamChunk.text(0, "word"));
        }
        List<SessionEvent> one = turn.stepEnd().turnEnd().events();
        for (int i = 0; i < turns; i++) {
            for (SessionEvent event : one) {
                log.add(SessionEvent.of(
                        log.size(),
                        event.time(),
                        event.type(),
                        event.data(),
                        event.intent().orElse(null),
                        false));
            }
        }
        stack.store.load(header("src"), log.iterator());
        AtomicLong read = new AtomicLong();
        CommandStack counted = start(CommandStack.on(counting(store(), read)));
        long bytes = bytes();

        Forked forked = counted.commands.fork(SOURCE);

        assertThat(forked.seedLength()).isEqualTo(turns * 100L);
        assertThat(read.get()).isLessThan(70);
        assertThat(bytes() - bytes).isLessThan(64 << 10);
        assertThat(store().find(forked.session()).orElseThrow().surfaceEvents()).isEqualTo(turns);
    }

    private long bytes() {
        long bytes = 0;
        for (String name : List.of("store.db", "store.db-wal")) {
            bytes += directory.resolve(name).toFile().length();
        }
        return bytes;
    }

    /** Counts the events that are read. */
    private static EventStore counting(EventStore store, AtomicLong read) {
        return (EventStore) Proxy.newProxyInstance(
                EventStore.class.getClassLoader(), new Class<?>[] {EventStore.class}, (proxy, method, args) -> {
                    try {
                        Object answer = method.invoke(store, args);
                        if (method.getName().equals("events")) {
                            read.addAndGet(((List<?>) answer).size());
                        } else if (method.getName().equals("forEach")) {
                            read.addAndGet(1_000_000);
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
