package io.surfacelog.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.EventDraft;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.stream.StreamPosition;
import io.surfacelog.testing.Seeds;
import io.surfacelog.web.RawFollower.Heard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that are cut off after any byte, while several write to the same sessions, miss nothing and hear nothing twice. */
@Tag("slow")
class KilledClientsTest {

    private static final List<SessionId> SESSIONS = List.of(SessionId.of("a"), SessionId.of("b ü/\n"));
    private static final int WRITERS_OF_EACH = 3;
    private static final int BATCHES_OF_EACH = 60;
    private static final int CLIENTS_OF_EACH = 3;

    @TempDir
    private Path directory;

    @Test
    void clients_that_are_cut_off_after_any_byte_hear_each_event_once_and_in_order() {
        Seeds.forEach(4, this::run);
    }

    private void run(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Served served = Served.in(directory.resolve("seed-" + seed), "surfacelog.web.feed.max-behind=128KB")) {
            SESSIONS.forEach(id ->
                    served.commands().create(SessionHeader.builder().id(id).build()));
            List<Future<Integer>> writers = new ArrayList<>();
            List<Integer> expected = new ArrayList<>();
            for (SessionId id : SESSIONS) {
                int events = 0;
                for (int i = 0; i < WRITERS_OF_EACH; i++) {
                    List<Integer> sizes = IntStream.range(0, BATCHES_OF_EACH)
                            .mapToObj(batch -> 1 + random.nextInt(7))
                            .toList();
                    events += sizes.stream().mapToInt(size -> size).sum();
                    SplittableRandom own = random.split();
                    writers.add(threads.submit(() -> write(served, id, sizes, own)));
                }
                expected.add(events);
            }
            List<Future<List<Heard>>> ofOne = new ArrayList<>();
            List<Future<List<Heard>>> ofAll = new ArrayList<>();
            int all = expected.stream().mapToInt(events -> events).sum();
            for (int i = 0; i < CLIENTS_OF_EACH; i++) {
                for (int session = 0; session < SESSIONS.size(); session++) {
                    String path =
                            "/sessions/" + UrlText.encode(SESSIONS.get(session).value()) + "/feed?after=0";
                    ofOne.add(threads.submit(hearing(served.port(), path, expected.get(session), random.split())));
                }
                ofAll.add(threads.submit(hearing(served.port(), "/feed?after=0", all, random.split())));
            }
            for (Future<Integer> writer : writers) {
                assertThat(writer.get(60, TimeUnit.SECONDS)).isPositive();
            }
            for (int i = 0; i < ofOne.size(); i++) {
                int session = i % SESSIONS.size();
                assertOnceAndInOrder(ofOne.get(i).get(60, TimeUnit.SECONDS), session, expected.get(session));
            }
            for (Future<List<Heard>> client : ofAll) {
                List<Heard> heard = client.get(60, TimeUnit.SECONDS);
                assertThat(heard).hasSize(all);
                for (int session = 0; session < SESSIONS.size(); session++) {
                    assertOnceAndInOrder(heard, session, expected.get(session));
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static int write(Served served, SessionId id, List<Integer> sizes, SplittableRandom random) {
        int written = 0;
        for (int size : sizes) {
            List<EventDraft> batch = IntStream.range(0, size)
                    .mapToObj(i -> EventDraft.of(OpaquePayload.of(
                            "session/title",
                            JsonObject.builder()
                                    .put("title", "ü\n\nid: 1".repeat(random.nextInt(200)))
                                    .build())))
                    .toList();
            written += served.commands().appendAll(id, batch).events().size();
        }
        return written;
    }

    private static Callable<List<Heard>> hearing(int port, String path, int count, SplittableRandom random) {
        return () -> {
            List<Heard> heard = new ArrayList<>();
            String last = "";
            while (heard.stream().filter(one -> one.seq() >= 0).count() < count) {
                List<Heard> more = hearUntilCut(port, path, last, random, count - heard.size());
                heard.addAll(more.stream().filter(one -> one.seq() >= 0).toList());
                last = more.isEmpty() ? last : more.get(more.size() - 1).id();
            }
            return heard;
        };
    }

    private static List<Heard> hearUntilCut(int port, String path, String last, SplittableRandom random, int most)
            throws IOException {
        try (RawFollower follower = RawFollower.of(port, Served.BASE + path, last, 0)) {
            int bytes = random.nextInt(60_000);
            while (bytes > 0
                    && follower.heard().stream().filter(one -> one.seq() >= 0).count() < most) {
                int now = Math.min(bytes, 1 + random.nextInt(5_000));
                bytes -= now;
                if (!follower.read(now)) {
                    break; // dropped: it goes on like one that was cut off
                }
            }
            return follower.heard();
        }
    }

    private static void assertOnceAndInOrder(List<Heard> heard, int session, int events) {
        assertThat(heard.stream()
                        .filter(one ->
                                one.session().equals(SESSIONS.get(session).value()))
                        .map(Heard::seq)
                        .toList())
                .isEqualTo(LongStream.range(0, events).boxed().toList());
        assertThat(heard.stream().map(one -> StreamPosition.parse(one.id())).toList())
                .isSorted();
    }
}
