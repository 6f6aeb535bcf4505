package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.UserMessage;
import io.surfacelog.store.KeyedAppend;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Appends under keys share commits as others do, and each keeps its own answer. */
class KeyedPipelineTest extends StoreSuite {

    private FaultyStore faulty;
    private CommandStack stack;
    private SessionId id;
    private HeldCommit held;

    @BeforeEach
    void createSession() {
        faulty = new FaultyStore(store());
        stack = start(CommandStack.on(faulty));
        id = stack.commands.create(header("s"));
    }

    private AppendEvents keyed(int n) {
        return AppendEvents.to(id, List.of(Drafts.say("m" + n), Drafts.say("n" + n)))
                .idempotencyKey("k" + n);
    }

    private List<CompletableFuture<Appended>> pipeline(int count) {
        held = new HeldCommit(faulty);
        List<CompletableFuture<Appended>> all = new ArrayList<>();
        CompletableFuture<Appended> first = stack.commands.appendAllAsync(id, List.of(Drafts.say("first")));
        held.awaitReached();
        for (int i = 0; i < count; i++) {
            all.add(stack.commands.appendAsync(keyed(i)));
        }
        assertThat(first).isNotDone();
        return all;
    }

    private List<String> texts() {
        return stored(id).stream()
                .filter(SessionEvent::isSurface)
                .map(event -> ((UserMessage) event.payload()).message().text())
                .toList();
    }

    @Test
    void sixty_four_in_flight_take_one_commit_behind_the_one_under_way() {
        AtomicInteger commits = new AtomicInteger();
        List<CompletableFuture<Appended>> all = pipeline(64);
        faulty.beforeCommit(writes -> commits.incrementAndGet());
        held.close();

        for (int i = 0; i < 64; i++) {
            Appended one = all.get(i).join();
            assertThat(one.firstSeq()).isEqualTo(1 + 2L * i);
            assertThat(one.repeated()).isFalse();
            assertThat(store().keyed(id, "k" + i)).contains(new KeyedAppend(1 + 2L * i, 2));
        }
        assertThat(commits).hasValue(1);
        assertThat(stack.commands.append(keyed(7)).repeated()).isTrue();
        assertThat(stack.commands.append(keyed(7)).firstSeq()).isEqualTo(15);
    }

    @Test
    void some_of_which_another_process_has_made_are_repeated_and_the_rest_goes_on() {
        CommandStack there = startAnotherProcess();
        List<CompletableFuture<Appended>> all = pipeline(40);
        faulty.beforeCommit(writes -> {
            faulty.heal();
            for (int i = 0; i < 40; i += 2) {
                there.commands.append(keyed(i));
            }
        });
        held.close();

        for (int i = 0; i < 40; i++) {
            Appended one = all.get(i).join();
            assertThat(one.repeated()).as("k" + i).isEqualTo(i % 2 == 0);
            assertThat(one.firstSeq()).isEqualTo(1 + (i % 2 == 0 ? i : 40 + i - 1L));
            assertThat(one.events()).isEqualTo(stored(id).subList((int) one.firstSeq(), (int) one.nextSeq()));
        }
        assertThat(texts()).hasSize(81).doesNotHaveDuplicates();
        assertThat(stack.queries.nextSeq(id)).isEqualTo(81);
    }

    @Test
    void one_with_other_content_than_another_process_has_stored_is_a_conflict_of_its_own() {
        CommandStack there = startAnotherProcess();
        List<CompletableFuture<Appended>> all = pipeline(3);
        faulty.beforeCommit(writes -> {
            faulty.heal();
            there.commands.append(
                    AppendEvents.to(id, List.of(Drafts.say("other"))).idempotencyKey("k1"));
        });
        held.close();

        assertThat(all.get(0).join().firstSeq()).isEqualTo(2);
        assertThatThrownBy(all.get(1)::join).hasCauseInstanceOf(IdempotencyConflictException.class);
        assertThat(all.get(2).join().firstSeq()).isEqualTo(4);
        assertThat(texts()).containsExactly("first", "other", "m0", "n0", "m2", "n2");
    }
}
