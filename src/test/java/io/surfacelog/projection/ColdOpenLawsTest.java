package io.surfacelog.projection;

import static io.surfacelog.projection.SurfaceAssertions.assertSame;
import static io.surfacelog.projection.SurfaceAssertions.assertSameClosers;
import static io.surfacelog.projection.SurfaceAssertions.fold;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.Appended;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.Drafts;
import io.surfacelog.command.StoreSuite;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.memory.MemoryEventStore;
import io.surfacelog.surface.Finding;
import io.surfacelog.surface.Replacement;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.TranscriptEntry;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** For any log: with a checkpoint, with another, with none, a session opens as what it is. */
class ColdOpenLawsTest extends StoreSuite {

    private int seeds(int inMemory) {
        return store() instanceof MemoryEventStore ? inMemory : Math.max(3, inMemory / 12);
    }

    private Surface cold(SessionId id) {
        try (SurfaceProjection projection = new SurfaceProjection(store(), 1)) {
            return projection.surface(id);
        }
    }

    private void append(CommandStack stack, SessionId id, List<SessionEvent> events, Random random) {
        for (int from = 0; from < events.size(); ) {
            int to = Math.min(events.size(), from + 1 + random.nextInt(12));
            stack.commands.appendAll(id, Drafts.of(events.subList(from, to)));
            from = to;
        }
    }

    @Test
    void opened_from_a_checkpoint_taken_at_any_prefix_it_is_the_fold() {
        CommandStack stack = start(CommandStack.reporting(store()).checkpointsEvery(Integer.MAX_VALUE));
        Seeds.forEach(seeds(60), seed -> {
            Random random = new Random(seed);
            List<SessionEvent> log = SessionGenerator.any(seed).log(80);
            Surface folded = fold(log);
            for (int i = 0; i < 8; i++) {
                SessionId id = stack.commands.create(header("s" + seed + "-" + i));
                int prefix = random.nextInt(log.size() + 1);
                append(stack, id, log.subList(0, prefix), random);
                store().saveCheckpoint(id, CheckpointWriter.checkpoint(stack.queries.surface(id)));
                append(stack, id, log.subList(prefix, log.size()), random);

                Surface opened = cold(id);
                assertSame(opened, folded, "from a checkpoint after " + prefix);
                assertSameClosers(opened, folded, log, "from a checkpoint after " + prefix);

                store().dropCheckpoints(id);
                assertSame(cold(id), folded, "without a checkpoint");
            }
        });
    }

    @Test
    void with_checkpoints_written_whenever_it_comes_and_goes_it_is_the_fold() {
        Seeds.forEach(seeds(60), seed -> {
            Random random = new Random(seed);
            CommandStack stack = start(CommandStack.reporting(store())
                    .checkpointsEvery(1 + random.nextInt(12))
                    .maxLiveSessions(1));
            List<SessionEvent> log = SessionGenerator.any(seed).log(90);
            SessionId id = stack.commands.create(header("s" + seed));
            List<CompletableFuture<Appended>> pending = new ArrayList<>();
            for (int from = 0; from < log.size(); ) {
                int to = Math.min(log.size(), from + 1 + random.nextInt(6));
                pending.add(stack.commands.appendAllAsync(id, Drafts.of(log.subList(from, to))));
                from = to;
                if (random.nextInt(3) == 0) {
                    pending.forEach(CompletableFuture::join);
                    stack.projection.forget(id);
                    assertSame(stack.queries.surface(id), fold(log.subList(0, to)), "after " + to);
                }
            }
            pending.forEach(CompletableFuture::join);
            assertSame(cold(id), fold(log), "at the end");
        });
    }

    @Test
    void looked_back_at_from_a_checkpoint_it_is_the_fold_of_that_time() {
        CommandStack stack = start(CommandStack.reporting(store()).checkpointsEvery(Integer.MAX_VALUE));
        Seeds.forEach(seeds(40), seed -> {
            Random random = new Random(seed);
            List<SessionEvent> log = SessionGenerator.any(seed).log(100);
            SessionId id = stack.commands.create(header("s" + seed));
            int prefix = random.nextInt(log.size());
            append(stack, id, log.subList(0, prefix), random);
            store().saveCheckpoint(id, CheckpointWriter.checkpoint(stack.queries.surface(id)));
            append(stack, id, log.subList(prefix, log.size()), random);
            for (int seq = 0; seq < log.size(); seq += 1 + random.nextInt(5)) {
                List<SessionEvent> then = log.subList(0, seq + 1);
                Surface back = stack.queries.surfaceAsOf(id, seq);
                assertSame(back, fold(then), "as of " + seq);
                assertSameClosers(back, fold(then), then, "as of " + seq);
            }
        });
    }

    /** What anybody can ask of a session. */
    private record Answers(
            List<Long> nodes,
            List<Message> messages,
            ModelRequest request,
            List<TranscriptEntry> transcript,
            List<Replacement> replacements,
            List<Provenance> provenance,
            List<Finding> findings,
            List<SessionEvent> recovery) {

        static Answers of(CommandStack stack, SessionId id, SessionId copy) {
            Surface surface = stack.queries.surface(id);
            List<Provenance> provenance = new ArrayList<>();
            for (long seq = 0; seq < surface.nextSeq(); seq += 3) {
                provenance.add(stack.queries.provenance(id, seq));
            }
            return new Answers(
                    surface.nodes().stream().map(node -> node.seq()).toList(),
                    List.copyOf(stack.queries.messages(id)),
                    stack.queries.request(id),
                    stack.queries.transcript(id),
                    stack.queries.replacements(id),
                    provenance,
                    List.copyOf(surface.findings()),
                    stack.commands.recover(copy).events());
        }
    }

    @Test
    void deleting_every_checkpoint_changes_no_answer() {
        Seeds.forEach(seeds(40), seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log(90);
            CommandStack writing = start(CommandStack.reporting(store()).checkpointsEvery(3));
            Random random = new Random(seed);
            SessionId id = writing.commands.create(header("s" + seed));
            // recovering changes a session, so there is one for each way
            SessionId with = writing.commands.create(header("with" + seed));
            SessionId without = writing.commands.create(header("without" + seed));
            for (SessionId each : List.of(id, with, without)) {
                append(writing, each, log, random);
            }
            writing.close();

            Answers withCheckpoints = Answers.of(start(CommandStack.reporting(store())), id, with);
            for (SessionId each : List.of(id, with, without)) {
                store().dropCheckpoints(each);
            }
            assertThat(Answers.of(start(CommandStack.reporting(store())), id, without))
                    .isEqualTo(withCheckpoints);
        });
    }
}
