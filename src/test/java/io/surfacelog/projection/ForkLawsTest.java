package io.surfacelog.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.AppendEvents;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.CreateSession;
import io.surfacelog.command.EraseSession;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.ForkException;
import io.surfacelog.command.ForkSession;
import io.surfacelog.command.Forked;
import io.surfacelog.command.StoreSuite;
import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.SessionNeededException;
import io.surfacelog.store.memory.MemoryEventStore;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.LogBuilder;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A tree of forks, whatever becomes of its branches, reads as if each had a log of its own. */
class ForkLawsTest extends StoreSuite {

    private final Map<SessionId, List<SessionEvent>> copies = new LinkedHashMap<>();
    private CommandStack stack;
    private Random random = new Random(0);

    @Test
    void every_session_of_a_tree_of_forks_reads_as_an_independent_copy_of_its_log() {
        Seeds.forEach(store() instanceof MemoryEventStore ? 12 : 8, seed -> {
            random = new Random(seed);
            stack = start(CommandStack.reporting(store()).maxLiveSessions(2).checkpointsEvery(1 + random.nextInt(30)));
            SessionId root = SessionId.of("root-" + seed);
            List<SessionEvent> log = SessionGenerator.any(seed).log(20 + random.nextInt(80));
            stack.commands.create(CreateSession.imported(header(root.value()), candidates(log), EventTypes.standard()));
            copies.put(root, new ArrayList<>(log));
            for (int i = 0; i < 25; i++) {
                if (random.nextInt(3) == 0) {
                    fork(SessionId.of("fork-" + seed + "-" + i));
                } else {
                    grow(any());
                }
            }
            while (copies.size() > 1) {
                remove(any());
                if (random.nextBoolean() && !copies.isEmpty()) {
                    grow(any());
                }
                if (random.nextInt(4) == 0 && !copies.isEmpty()) {
                    fork(SessionId.of("late-" + seed + "-" + copies.size() + "-" + random.nextInt()));
                }
                readsAsCopies("seed " + seed);
            }
            for (SessionId last : List.copyOf(copies.keySet())) {
                stack.commands.delete(last);
                copies.remove(last);
            }
            assertThat(store().list(SessionFilter.all()).sessions()).isEmpty();
            assertThat(store().verifyShared()).isEmpty();
        });
    }

    private SessionId any() {
        return List.copyOf(copies.keySet()).get(random.nextInt(copies.size()));
    }

    private void fork(SessionId child) {
        SessionId source = any();
        List<SessionEvent> log = copies.get(source);
        ForkSession fork = ForkSession.of(source).as(child);
        int prefix = log.size();
        if (!log.isEmpty() && random.nextBoolean()) {
            prefix = 1 + random.nextInt(log.size());
            fork = fork.at(prefix - 1);
        }
        int sound = soundPrefix(log, prefix);
        if (sound < prefix) {
            try {
                stack.commands.fork(fork);
                throw new AssertionError("forked inside an open turn, " + fork);
            } catch (ForkException e) {
                assertThat(e.code()).isEqualTo(ForkException.Code.OPEN_TURN);
            }
        }
        Forked forked = stack.commands.fork(fork.beforeOpenTurns());
        assertThat(forked.seedLength()).isEqualTo(sound);
        List<SessionEvent> copy = new ArrayList<>(log.subList(0, sound));
        copy.addAll(forked.events());
        assertThat(copy.get(copy.size() - 1).type()).isEqualTo(EventType.SESSION_END_SEED);
        copies.put(child, copy);
    }

    private static int soundPrefix(List<SessionEvent> log, int prefix) {
        for (int i = prefix - 1; i >= 0; i--) {
            if (log.get(i).type().equals(EventType.TURN_END)) {
                return prefix;
            }
            if (log.get(i).type().equals(EventType.TURN_START)) {
                return soundPrefix(log, i);
            }
        }
        return prefix;
    }

    private void grow(SessionId id) {
        Surface surface = stack.queries.surface(id);
        List<EventDraft> batch = new ArrayList<>();
        List<Long> nodes = new ArrayList<>();
        for (long node : surface.nodeSeqs()) {
            nodes.add(node);
        }
        if (!nodes.isEmpty() && random.nextInt(3) == 0) {
            int from = random.nextInt(nodes.size());
            int to = from + random.nextInt(nodes.size() - from);
            EventSeqs.Builder hidden = EventSeqs.builder();
            nodes.subList(from, to + 1).forEach(hidden::add);
            batch.add(EventDraft.of(
                    LogBuilder.userMessage("instead of " + from + " to " + to),
                    SurfaceIntent.replace(nodes.get(from), nodes.get(to)).citing(hidden.build())));
        } else {
            batch.add(EventDraft.of(TurnStart.of(1)));
            for (int i = random.nextInt(12); i > 0; i--) {
                batch.add(EventDraft.of(AssistantChunk.of(1, 1, StreamChunk.text(0, "word " + random.nextInt(99)))));
            }
            batch.add(EventDraft.of(
                    LogBuilder.userMessage("text " + random.nextLong() + "x".repeat(random.nextInt(3) * 400)),
                    SurfaceIntent.append()));
            if (random.nextInt(4) > 0) {
                batch.add(EventDraft.of(TurnEnd.of(1, TurnEndReason.completed())));
            }
        }
        copies.get(id).addAll(stack.commands.append(AppendEvents.to(id, batch)).events());
    }

    private void remove(SessionId id) {
        if (random.nextInt(3) > 0) {
            stack.commands.delete(id);
            copies.remove(id);
            return;
        }
        try {
            stack.commands.erase(new EraseSession(id, false));
            copies.remove(id);
        } catch (SessionNeededException e) {
            assertThat(copies.keySet()).containsAll(e.neededBy());
            if (random.nextInt(3) == 0) {
                stack.commands.erase(new EraseSession(id, true)).sessions().forEach(copies::remove);
            }
        }
    }

    private void readsAsCopies(String as) {
        SessionVerifier verifier = new SessionVerifier(store(), stack.projection);
        assertThat(verifier.verifyShared()).as(as).isEmpty();
        copies.forEach((id, log) -> {
            assertThat(verifier.verify(id).faults()).as(as).isEmpty();
            readsAs(id, log, as + " " + id);
        });
    }

    private void readsAs(SessionId id, List<SessionEvent> log, String as) {
        try (CommandStack alone =
                CommandStack.reporting(MemoryEventStore.create()).start()) {
            alone.commands.create(
                    CreateSession.imported(stack.queries.header(id), candidates(log), EventTypes.standard()));
            for (EventRange.Kind kind : EventRange.Kind.values()) {
                int from = random.nextInt(log.size() + 1);
                EventRange range = EventRange.of(from, from + random.nextInt(log.size() + 1))
                        .kind(kind);
                assertThat(store().events(id, range)).as(as).isEqualTo(alone.store.events(id, range));
                assertThat(store().events(id, EventRange.all().kind(kind)))
                        .as(as)
                        .isEqualTo(alone.store.events(id, EventRange.all().kind(kind)));
            }
            List<SessionEvent> visited = new ArrayList<>();
            stack.queries.forEach(id, visited::add);
            assertThat(visited).as(as).isEqualTo(log);
            assertThat(store().find(id).orElseThrow().surfaceEvents())
                    .as(as)
                    .isEqualTo(log.stream().filter(SessionEvent::isSurface).count());
            SurfaceAssertions.assertSame(stack.queries.surface(id), SurfaceAssertions.fold(log), as);
            assertThat(stack.queries.transcript(id)).as(as).isEqualTo(alone.queries.transcript(id));
            if (!log.isEmpty()) {
                int seq = random.nextInt(log.size());
                SurfaceAssertions.assertSame(
                        stack.queries.surfaceAsOf(id, seq), SurfaceAssertions.fold(log.subList(0, seq + 1)), as);
                assertThat(stack.queries.provenance(id, seq)).as(as).isEqualTo(alone.queries.provenance(id, seq));
                assertThat(store().events(id, EventSeqs.of(seq))).as(as).containsExactly(log.get(seq));
            }
        }
    }
}
