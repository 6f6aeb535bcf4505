package io.surfacelog.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.EventDraft;
import io.surfacelog.command.ForkSession;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.web.FeedListener.Said;
import io.surfacelog.web.Served.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The live feed: in order, without a gap and without a repetition, whatever becomes of its clients. */
class FeedTest {

    @TempDir
    private Path directory;

    private Served served;

    @AfterEach
    void stop() {
        served.close();
    }

    private void serve(String... settings) {
        served = Served.in(directory, settings);
    }

    private SessionId session(String id) {
        return served.commands()
                .create(SessionHeader.builder().id(SessionId.of(id)).build());
    }

    private static EventDraft note(String text) {
        return EventDraft.of(OpaquePayload.of(
                "session/title", JsonObject.builder().put("title", text).build()));
    }

    private void append(SessionId id, int events) {
        for (int i = 0; i < events; i++) {
            served.commands().appendAll(id, List.of(note("title " + i)));
        }
    }

    @Test
    void a_feed_begins_with_what_is_committed_from_now_on() {
        serve();
        SessionId id = session("s");
        append(id, 3);
        try (FeedListener listener = FeedListener.of(served, "/sessions/s/feed")) {
            Said open = listener.nextWord();
            assertThat(open.type()).isEqualTo("open");
            assertThat(open.id()).isEqualTo(open.json().string("position").orElseThrow());

            append(id, 1);

            Said first = listener.nextWord();
            assertThat(first.isEvent()).isTrue();
            assertThat(first.seq()).isEqualTo(3);
            assertThat(first.json().string("session")).hasValue("s");
            assertThat(first.json().object("event").orElseThrow())
                    .isEqualTo(served.queries().event(id, 3).toJson());
        }
    }

    @Test
    void a_feed_may_begin_with_any_seq_and_goes_over_to_what_comes() {
        serve();
        SessionId id = session("s");
        append(id, 300);
        try (FeedListener listener = FeedListener.of(served, "/sessions/s/feed?from=2")) {
            listener.nextWord();
            append(id, 5);
            assertThat(seqs(listener, 303)).isEqualTo(range(2, 305));
        }
    }

    private static List<Long> range(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    private static List<Long> seqs(FeedListener listener, int count) {
        List<Long> seqs = new ArrayList<>();
        while (seqs.size() < count) {
            Said said = listener.nextWord();
            assertThat(said.isEvent()).as(said.toString()).isTrue();
            seqs.add(said.seq());
        }
        return seqs;
    }

    @Test
    void clients_that_are_killed_under_load_go_on_without_a_gap_or_a_repetition() throws Exception {
        serve();
        int events = 600;
        List<SessionId> ids = List.of(session("a"), session("b"), session("c"));
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<?>> work = new ArrayList<>();
            for (SessionId id : ids) {
                work.add(threads.submit(() -> append(id, events)));
            }
            List<Future<List<String>>> heard = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                long seed = i;
                String path = i < 3 ? "/sessions/" + ids.get(i) + "/feed?after=0" : "/feed?after=0";
                int all = i < 3 ? events : events * ids.size();
                heard.add(threads.submit(() -> hearWithKills(path, all, new Random(seed))));
            }
            for (Future<?> one : work) {
                one.get(60, TimeUnit.SECONDS);
            }
            for (int i = 0; i < heard.size(); i++) {
                List<String> found = heard.get(i).get(60, TimeUnit.SECONDS);
                for (SessionId id : i < 3 ? List.of(ids.get(i)) : ids) {
                    assertThat(found.stream()
                                    .filter(one -> one.startsWith(id + " "))
                                    .toList())
                            .as("client " + i)
                            .isEqualTo(range(0, events).stream()
                                    .map(seq -> id + " " + seq)
                                    .toList());
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private List<String> hearWithKills(String path, int count, Random random) {
        List<String> heard = new ArrayList<>();
        String last = "";
        while (heard.size() < count) {
            int until = heard.size() + random.nextInt(150);
            try (FeedListener listener = last.isEmpty()
                    ? FeedListener.of(served, path)
                    : FeedListener.of(served, path, "Last-Event-ID", last)) {
                while (heard.size() < count && heard.size() <= until) {
                    Said said = listener.nextWord();
                    last = said.id();
                    if (said.isEvent()) {
                        heard.add(said.json().string("session").orElseThrow() + " " + said.seq());
                    }
                }
            }
        }
        return heard;
    }

    @Test
    void a_client_that_never_reads_slows_nobody_and_goes_on_where_it_was_dropped() throws Exception {
        serve("surfacelog.web.feed.max-behind=64KB", "surfacelog.web.feed.heartbeat=200ms");
        SessionId id = session("s");
        int events = 300;
        String large = "x".repeat(40_000);
        try (Socket stuck = new Socket();
                FeedListener brisk = FeedListener.of(served, "/feed")) {
            stuck.setReceiveBufferSize(4_096);
            stuck.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), served.port()));
            stuck.getOutputStream()
                    .write(("GET " + Served.BASE + "/sessions/s/feed?from=0 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            brisk.nextWord();
            String opened = readUntil(stuck.getInputStream(), "event: open");
            assertThat(opened).contains("text/event-stream");

            for (int i = 0; i < events; i++) {
                served.commands().appendAll(id, List.of(note(large)));
                assertThat(brisk.nextWord().seq()).isEqualTo(i);
            }

            String rest = new String(stuck.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            List<String> lines =
                    rest.lines().filter(line -> line.startsWith("id: ")).toList();
            assertThat(lines.size()).isLessThan(events);
            // the last event may have been cut: what an EventSource has is what a blank line has ended
            String whole = rest.substring(0, rest.lastIndexOf("\n\n") + 1);
            String last = whole.lines()
                    .filter(line -> line.startsWith("id: "))
                    .reduce((one, other) -> other)
                    .map(line -> line.substring(4))
                    .orElse("0");
            long heard = last.contains(":") ? Long.parseLong(last.substring(last.indexOf(':') + 1)) + 1 : 0;
            try (FeedListener again = FeedListener.of(served, "/sessions/s/feed", "Last-Event-ID", last)) {
                assertThat(again.nextWord().type()).isEqualTo("open");
                assertThat(seqs(again, (int) (events - heard))).isEqualTo(range(heard, events));
            }
        }
    }

    private static String readUntil(InputStream in, String text) throws IOException {
        StringBuilder read = new StringBuilder();
        while (read.indexOf(text) < 0) {
            int one = in.read();
            if (one < 0) {
                throw new AssertionError("ended after " + read);
            }
            read.append((char) one);
        }
        return read.toString();
    }

    @Test
    void the_feed_of_a_session_that_is_deleted_ends_with_a_word_of_its_own() {
        serve();
        SessionId id = session("s");
        session("other");
        append(id, 1);
        try (FeedListener listener = FeedListener.of(served, "/sessions/s/feed?from=0");
                FeedListener other = FeedListener.of(served, "/sessions/other/feed")) {
            listener.nextWord();
            other.nextWord();
            assertThat(listener.nextWord().isEvent()).isTrue();

            served.delete("/sessions/s");
            session("s");
            append(id, 1);

            Said removed = listener.nextWord();
            assertThat(removed.type()).isEqualTo("session/removed");
            assertThat(removed.json().string("session")).hasValue("s");
            assertThat(listener.nextWord().type()).isEqualTo("end");

            append(SessionId.of("other"), 1);
            assertThat(other.nextWord().seq()).isZero();
        }
    }

    @Test
    void a_session_removed_by_another_process_ends_its_feed_too() {
        serve("surfacelog.web.feed.heartbeat=100ms");
        session("s");
        try (FeedListener listener = FeedListener.of(served, "/sessions/s/feed")) {
            listener.nextWord();
            served.store().delete(SessionId.of("s"));
            assertThat(listener.nextWord().type()).isEqualTo("session/removed");
        }
    }

    @Test
    void silence_is_broken_by_comments() {
        serve("surfacelog.web.feed.heartbeat=100ms");
        try (FeedListener listener = FeedListener.of(served, "/feed")) {
            assertThat(listener.next().type()).isEqualTo("open");
            assertThat(listener.next().type()).isEqualTo("comment");
            assertThat(listener.next().type()).isEqualTo("comment");
        }
    }

    @Test
    void the_first_word_is_open_however_often_silence_is_broken() {
        serve("surfacelog.web.feed.heartbeat=100ms");
        for (int i = 0; i < 40; i++) {
            try (FeedListener listener = FeedListener.of(served, "/feed")) {
                assertThat(listener.next().type()).isEqualTo("open");
            }
        }
    }

    @Test
    void a_place_that_there_is_not_is_refused() {
        serve();
        SessionId id = session("s");
        append(id, 2);
        for (String wrong : List.of("x", "-1", "999999", "2:99", "1e3", "0:1", "18446744073709551616")) {
            Answer answer = served.get("/sessions/s/feed", "Last-Event-ID", wrong);
            assertThat(answer.status()).as(wrong + " " + answer.text()).isEqualTo(400);
            assertThat(answer.problem()).isEqualTo("bad-request");
        }
        assertThat(served.get("/sessions/none/feed").status()).isEqualTo(404);
        assertThat(served.get("/sessions/s/feed?from=x").status()).isEqualTo(400);
    }

    @Test
    void a_fork_s_feed_has_what_it_inherited_and_that_of_all_has_it_once() {
        serve();
        SessionId id = session("s");
        append(id, 3);
        served.commands().fork(ForkSession.of(id).as(SessionId.of("f")));
        append(SessionId.of("f"), 1);
        long inFork = served.queries().nextSeq(SessionId.of("f"));
        try (FeedListener fork = FeedListener.of(served, "/sessions/f/feed?from=0");
                FeedListener all = FeedListener.of(served, "/feed?after=0")) {
            fork.nextWord();
            assertThat(seqs(fork, (int) inFork)).isEqualTo(range(0, inFork));
            all.nextWord();
            assertThat(seqs(all, (int) inFork)).isEqualTo(range(0, inFork));
        }
    }

    @Test
    void clients_beyond_the_bound_are_sent_away_and_a_place_becomes_free_again() {
        serve("surfacelog.web.feed.max-clients=1", "surfacelog.web.feed.heartbeat=100ms");
        FeedListener first = FeedListener.of(served, "/feed");
        first.nextWord();
        Answer second = served.get("/feed");
        assertThat(second.status()).isEqualTo(503);
        assertThat(second.problem()).isEqualTo("too-many-clients");
        assertThat(second.header("Retry-After")).isEqualTo("1");
        first.close();

        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            // answered at once while there is no room, and never once there is
            try (FeedListener later = FeedListener.of(served, "/feed")) {
                assertThat(later.nextWord().type()).isEqualTo("open");
                return;
            } catch (AssertionError e) {
                assertThat(System.nanoTime()).isLessThan(until);
                assertThat(e.getMessage()).startsWith("503");
            }
        }
    }

    @Test
    void the_server_stops_at_once_although_clients_follow() {
        serve();
        try (FeedListener listener = FeedListener.of(served, "/feed")) {
            listener.nextWord();
            served.close();
            assertThat(listener.nextWord().type()).isEqualTo("end");
        }
    }

    @Test
    void what_a_log_holds_cannot_break_out_of_its_event() {
        serve();
        SessionId id = session("s\n\nid: 9");
        served.commands().appendAll(id, List.of(note("a\n\ndata: {}\r\revent: x\ud800</script>")));
        try (FeedListener listener =
                FeedListener.of(served, "/sessions/" + UrlText.encode(id.value()) + "/feed?from=0")) {
            listener.nextWord();
            Said said = listener.nextWord();
            assertThat(said.json().object("event").orElseThrow())
                    .isEqualTo(served.queries().event(id, 0).toJson());
            assertThat(said.json().get("session")).isEqualTo(Json.of(id.value()));
        }
    }
}
