package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A flush is a barrier: behind it, everything before it is stored or has failed. */
@SuppressWarnings("FutureReturnValueIgnored") // what became of them is read from the store
class FlushTest extends StoreSuite {

    private FaultyStore faulty;
    private CommandStack stack;
    private SessionId id;

    @BeforeEach
    void createSession() {
        faulty = new FaultyStore(store());
        stack = start(CommandStack.on(faulty));
        id = stack.commands.create(header("s"));
    }

    private CompletableFuture<Appended> say(String text) {
        return stack.commands.appendAllAsync(id, List.of(Drafts.say(text)));
    }

    @Test
    void returns_when_all_before_it_is_stored_though_nobody_else_commits() {
        for (int i = 0; i < 2_000; i++) {
            say("m" + i);
        }
        stack.commands.flush(id);

        assertThat(storedNextSeq(id)).isEqualTo(2_000);
        assertThat(stack.queries.nextSeq(id)).isEqualTo(2_000);
    }

    @Test
    void without_waiting_completes_then_and_not_before() {
        HeldCommit held = new HeldCommit(faulty);
        List<CompletableFuture<Appended>> all = new ArrayList<>();
        all.add(say("a"));
        held.awaitReached();
        all.add(say("b"));
        CompletableFuture<Void> flushed = stack.commands.flushAsync(id);
        CompletableFuture<Long> stored = flushed.thenApply(done -> storedNextSeq(id));

        assertThat(flushed).isNotDone();
        held.close();
        assertThat(stored.orTimeout(Bounded.SECONDS, TimeUnit.SECONDS).join()).isEqualTo(2);
        all.forEach(CompletableFuture::join);
    }

    @Test
    void does_not_fail_with_what_failed_before_it() {
        HeldCommit held = new HeldCommit(faulty, () -> {
            throw new StoreUnavailableException(Reason.DISK_FULL, "full");
        });
        CompletableFuture<Appended> inIt = say("a");
        held.awaitReached();
        CompletableFuture<Appended> onIt = say("b");
        CompletableFuture<Void> flushed = stack.commands.flushAsync(id);
        held.close();
        stack.commands.flush(id);

        assertThat(flushed.orTimeout(Bounded.SECONDS, TimeUnit.SECONDS).join()).isNull();
        assertThatThrownBy(inIt::join).hasCauseInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(onIt::join).hasCauseInstanceOf(AppendConflictException.class);
        assertThat(storedNextSeq(id)).isZero();
    }

    @Test
    void waits_for_no_other_session() {
        SessionId other = stack.commands.create(header("other"));
        HeldCommit held = new HeldCommit(faulty);
        CompletableFuture<Appended> first = say("a");
        held.awaitReached();

        stack.commands.flush(other);
        stack.commands.flush(SessionId.of("unknown"));
        assertThat(stack.commands.flushAsync(other).orTimeout(Bounded.SECONDS, TimeUnit.SECONDS))
                .succeedsWithin(java.time.Duration.ofSeconds(Bounded.SECONDS));

        assertThat(first).isNotDone();
        held.close();
        first.join();
    }

    @Test
    void waits_for_what_another_process_has_overtaken_too() {
        CommandStack there = startAnotherProcess();
        HeldCommit held = new HeldCommit(faulty, () -> there.commands.appendAll(id, List.of(Drafts.say("there"))));
        CompletableFuture<Appended> moved = say("here");
        held.awaitReached();
        CompletableFuture<Void> flushed = stack.commands.flushAsync(id);
        held.close();
        flushed.orTimeout(Bounded.SECONDS, TimeUnit.SECONDS).join();

        assertThat(storedNextSeq(id)).isEqualTo(2);
        assertThat(moved.join().seq()).isEqualTo(1);
    }

    @Test
    void after_the_end_finds_nothing_to_wait_for() {
        say("a");
        stack.commands.close();
        stack.commands.flush(id);

        assertThat(storedNextSeq(id)).isEqualTo(1);
    }
}
