package io.surfacelog.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.command.EventDraft;
import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.UserMessage;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.StoreException;
import io.surfacelog.store.WriteOutcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log long enough to be inserted by one thread while another reads it. */
class LongImportTest {

    private static final SessionHeader HEADER =
            SessionHeader.builder().id(SessionId.of("long")).createdAt(1).build();

    @TempDir
    private Path directory;

    private final FaultyConnections connections = new FaultyConnections();
    private SqliteEventStore store;

    @BeforeEach
    void open() {
        store = SqliteEventStore.open(SqliteSettings.at(directory.resolve("store.db")), connections::wire);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Long texts among short ones, so that batches end by their size too. */
    private static List<SessionEvent> log(int events) {
        List<SessionEvent> log = new ArrayList<>();
        for (int seq = 0; seq < events; seq++) {
            if (seq % 60 == 0) {
                String text = "m".repeat(seq % 600 == 0 ? 400_000 : 40) + seq;
                log.add(EventDraft.of(UserMessage.of(text), SurfaceIntent.append())
                        .toEvent(seq, seq));
            } else {
                log.add(EventDraft.of(AssistantChunk.of(1, 1, StreamChunk.text(0, "word " + seq)))
                        .toEvent(seq, seq));
            }
        }
        return log;
    }

    private void nothingIsThere() {
        assertThat(store.find(HEADER.id())).isEmpty();
        assertThat(store.lastPosition()).isZero();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("surfacelog-import");
    }

    private void canBeImported(List<SessionEvent> log) {
        assertThat(store.load(HEADER, log.iterator())).isInstanceOf(WriteOutcome.Committed.class);
        assertThat(store.events(HEADER.id(), EventRange.all())).isEqualTo(log);
    }

    @Test
    void every_event_of_it_is_stored_in_order_whatever_its_length() {
        for (int events : new int[] {1_023, 1_024, 1_025, 2_048, 9_000}) {
            SessionHeader header = SessionHeader.builder()
                    .id(SessionId.of("of " + events))
                    .createdAt(1)
                    .build();
            List<SessionEvent> log = log(events);

            store.load(header, log.iterator());

            assertThat(store.events(header.id(), EventRange.all())).isEqualTo(log);
            assertThat(store.find(header.id()).orElseThrow().nextSeq()).isEqualTo(events);
        }
    }

    @Test
    void what_its_reader_throws_undoes_it_and_reaches_the_caller() {
        List<SessionEvent> log = log(9_000);
        for (int at : new int[] {0, 1_024, 1_500, 8_999}) {
            IllegalStateException unreadable = new IllegalStateException("line " + at);
            Iterator<SessionEvent> broken = log.stream()
                    .peek(event -> {
                        if (event.seq() == at) {
                            throw unreadable;
                        }
                    })
                    .iterator();

            assertThatThrownBy(() -> store.load(HEADER, broken)).isSameAs(unreadable);
            nothingIsThere();
        }
        canBeImported(log);
    }

    @Test
    void a_gap_behind_many_events_undoes_it() {
        List<SessionEvent> log = new ArrayList<>(log(9_000));
        log.remove(7_000);

        assertThatThrownBy(() -> store.load(HEADER, log.iterator())).hasMessageContaining("expected seq 7000");
        nothingIsThere();
    }

    @Test
    void an_insert_that_fails_undoes_it_and_is_reported_wherever_it_stands() {
        List<SessionEvent> log = log(9_000);
        for (int n = 3; n < 200; n += 13) {
            connections.failAt(n, FaultyConnections.Fault.BEFORE, false);

            assertThatThrownBy(() -> store.load(HEADER, log.iterator())).isInstanceOf(StoreException.class);

            assertThat(connections.heal()).isTrue();
            nothingIsThere();
        }
        canBeImported(log);
    }

    @Test
    void an_interrupt_of_its_caller_is_kept_and_breaks_nothing() {
        List<SessionEvent> log = log(9_000);
        Iterator<SessionEvent> interrupting = log.stream()
                .peek(event -> {
                    if (event.seq() == 3_000) {
                        Thread.currentThread().interrupt();
                    }
                })
                .iterator();

        store.load(HEADER, interrupting);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(store.events(HEADER.id(), EventRange.all())).isEqualTo(log);
    }
}
