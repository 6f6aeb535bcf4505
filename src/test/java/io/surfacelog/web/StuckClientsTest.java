package io.surfacelog.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.EventDraft;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.web.RawFollower.Heard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many clients that ask and never read: nobody waits for them, and each can go on where it was dropped. */
@Tag("slow")
class StuckClientsTest {

    private static final int CLIENTS = 200;
    private static final int EVENTS = 400;

    @TempDir
    private Path directory;

    @Test
    void a_writer_a_reader_and_a_request_go_on_while_two_hundred_never_read() throws IOException {
        List<RawFollower> stuck = new ArrayList<>();
        try (Served served =
                Served.in(directory, "surfacelog.web.feed.max-behind=64KB", "surfacelog.web.feed.heartbeat=500ms")) {
            SessionId id = served.commands()
                    .create(SessionHeader.builder().id(SessionId.of("s")).build());
            for (int i = 0; i < CLIENTS; i++) {
                stuck.add(RawFollower.of(
                                served.port(), Served.BASE + (i % 2 == 0 ? "/sessions/s/feed" : "/feed"), "", 4_096)
                        .awaitFirst());
            }
            try (RawFollower brisk =
                    RawFollower.of(served.port(), Served.BASE + "/feed", "", 0).awaitFirst()) {
                EventDraft draft = EventDraft.of(OpaquePayload.of(
                        "session/title",
                        JsonObject.builder().put("title", "x".repeat(40_000)).build()));
                for (int i = 0; i < EVENTS; i++) {
                    // with a client that waited for the others, neither the commit nor the event would ever come
                    assertThat(served.commands()
                                    .appendAll(id, List.of(draft))
                                    .events()
                                    .get(0)
                                    .seq())
                            .isEqualTo(i);
                    while (brisk.heard().size() < i + 2) {
                        assertThat(brisk.read(65_536)).isTrue();
                    }
                    assertThat(served.get("/sessions/s").header("ETag")).isEqualTo("\"" + (i + 1) + "\"");
                }
            }
            for (RawFollower client : stuck) {
                goOn(served, client);
            }
        } finally {
            for (RawFollower client : stuck) {
                client.close();
            }
        }
    }

    private static void goOn(Served served, RawFollower dropped) throws IOException {
        boolean more = true;
        while (more) {
            more = dropped.read(65_536);
        }
        List<Heard> before = dropped.heard();
        List<Long> seqs = seqs(before);
        assertThat(seqs.size()).as("it was dropped").isLessThan(EVENTS);
        String last = before.get(before.size() - 1).id();
        try (RawFollower again = RawFollower.of(served.port(), Served.BASE + "/sessions/s/feed", last, 0)) {
            while (seqs.size() + seqs(again.heard()).size() < EVENTS) {
                assertThat(again.read(1 << 20)).isTrue();
            }
            seqs.addAll(seqs(again.heard()));
        }
        assertThat(seqs).isEqualTo(LongStream.range(0, EVENTS).boxed().toList());
    }

    private static List<Long> seqs(List<Heard> heard) {
        return new ArrayList<>(
                heard.stream().map(Heard::seq).filter(seq -> seq >= 0).toList());
    }
}
