package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.store.ErasureProof;
import io.surfacelog.store.SessionNeededException;
import io.surfacelog.store.SessionRemoval;
import io.surfacelog.store.StoredCommit;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.testing.LogBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Deleting and erasing, as the one who asks for it sees it. */
class RemovalTest extends StoreSuite {

    private static final SessionId A = SessionId.of("session-a");
    private static final SessionId B = SessionId.of("session-b");
    private static final SessionId C = SessionId.of("session-c");

    private CommandStack stack;
    private SessionCommands commands;

    @BeforeEach
    void startStack() {
        stack = start();
        commands = stack.commands;
    }

    private void create(SessionId id) {
        commands.create(CreateSession.imported(
                SessionHeader.builder().id(id).build(),
                candidates(LogBuilder.log()
                        .turnStart(1)
                        .user("hi")
                        .user("ho")
                        .turnEnd()
                        .events()),
                EventTypes.standard()));
    }

    private void fork(SessionId of, SessionId child) {
        commands.fork(ForkSession.of(of).as(child));
    }

    private void isUnknown(CommandStack to, SessionId id) {
        assertThatThrownBy(() -> to.queries.refresh(id)).isInstanceOf(UnknownSessionException.class);
        assertThatThrownBy(() -> to.queries.messages(id)).isInstanceOf(UnknownSessionException.class);
        assertThatThrownBy(() -> to.queries.events(id, 0, 1)).isInstanceOf(UnknownSessionException.class);
        assertThatThrownBy(() -> to.commands.append(id, LogBuilder.userMessage("x"), SurfaceIntent.append()))
                .isInstanceOf(UnknownSessionException.class);
    }

    @Nested
    class Deleting {

        @Test
        void makes_a_session_unknown_here_and_in_another_process() {
            create(A);
            CommandStack other = startAnotherProcess();
            assertThat(other.queries.messages(A)).hasSize(2);

            SessionRemoval removal = commands.delete(A);

            assertThat(removal).isEqualTo(new SessionRemoval(A, 4, 0, List.of()));
            isUnknown(stack, A);
            isUnknown(other, A);
            assertThatThrownBy(() -> commands.delete(A)).isInstanceOf(UnknownSessionException.class);
        }

        @Test
        void keeps_what_forks_share_and_says_for_whom() {
            create(A);
            fork(A, B);
            commands.append(A, LogBuilder.userMessage("own"), SurfaceIntent.append());

            assertThat(commands.delete(A)).isEqualTo(new SessionRemoval(A, 5, 4, List.of(B)));

            assertThat(stored(B)).hasSize(5);
            assertThat(stack.queries.messages(B)).hasSize(2);
        }

        @Test
        void frees_the_id_and_the_new_session_has_nothing_of_the_old_one() {
            create(A);
            CommandStack other = startAnotherProcess();
            assertThat(other.queries.nextSeq(A)).isEqualTo(4);
            commands.delete(A);
            commands.create(SessionHeader.builder().id(A).createdAt(5).build());
            commands.append(A, LogBuilder.userMessage("new"), SurfaceIntent.append());
            assertThat(stack.queries.messages(A)).hasSize(1);
            assertThat(other.queries.refresh(A).messages()).hasSize(1);
            assertThat(stack.store.commits(0, 10))
                    .extracting(StoredCommit::from, StoredCommit::to)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple(0L, 0L), org.assertj.core.groups.Tuple.tuple(0L, 1L));
        }

        @Test
        void fails_what_is_queued_for_the_session() {
            create(A);
            FaultyStore faulty = new FaultyStore(store());
            CommandStack held = start(CommandStack.on(faulty));
            CountDownLatch committing = new CountDownLatch(1);
            CountDownLatch release = new CountDownLatch(1);
            faulty.beforeCommit(writes -> {
                committing.countDown();
                Bounded.await(release);
            });
            CompletableFuture<Appended> first =
                    held.commands.appendAsync(A, LogBuilder.userMessage("first"), SurfaceIntent.append());
            Bounded.await(committing);
            CompletableFuture<Appended> second =
                    held.commands.appendAsync(A, LogBuilder.userMessage("second"), SurfaceIntent.append());
            // another process removes it while both are on their way
            stack.commands.delete(A);
            release.countDown();

            for (CompletableFuture<Appended> append : List.of(first, second)) {
                assertThatExceptionOfType(CompletionException.class)
                        .isThrownBy(append::join)
                        .havingCause()
                        .isInstanceOfAny(UnknownSessionException.class, AppendConflictException.class);
            }
            isUnknown(held, A);
        }

        @Test
        void passes_the_interceptors() {
            List<SessionCommand<?>> seen = Collections.synchronizedList(new ArrayList<>());
            CommandStack watched = start(CommandStack.on(store()).interceptor(new CommandInterceptor() {
                @Override
                public <R> CompletableFuture<R> intercept(SessionCommand<R> command, Chain chain) {
                    seen.add(command);
                    return chain.proceed(command);
                }
            }));
            create(A);
            watched.commands.fork(ForkSession.of(A).as(B));
            watched.commands.delete(A);
            watched.commands.erase(new EraseSession(B, false));
            assertThat(seen).containsExactly(ForkSession.of(A).as(B), new DeleteSession(A), new EraseSession(B, false));
        }
    }

    @Nested
    class Erasing {

        @Test
        void refuses_while_others_need_it_and_names_all_of_them() {
            create(A);
            fork(A, B);
            fork(B, C);
            commands.create(SessionHeader.builder()
                    .id(SessionId.of("session-d"))
                    .parentSession(A)
                    .build());

            assertThatExceptionOfType(SessionNeededException.class)
                    .isThrownBy(() -> commands.erase(new EraseSession(A, false)))
                    .satisfies(e -> assertThat(e.neededBy()).containsExactly(B, C, SessionId.of("session-d")));
            assertThat(stored(A)).hasSize(4);

            ErasureProof proof = commands.erase(new EraseSession(A, true));
            assertThat(proof.sessions()).containsExactly(A, SessionId.of("session-d"), C, B);
            assertThat(proof.found()).isZero();
            for (SessionId id : proof.sessions()) {
                isUnknown(stack, id);
            }
        }

        @Test
        void of_a_child_removes_its_own_part_and_says_whose_the_rest_is() {
            create(A);
            fork(A, B);
            ErasureProof proof = commands.erase(new EraseSession(B, false));
            assertThat(proof.sessions()).containsExactly(B);
            assertThat(proof.events()).isEqualTo(1);
            assertThat(proof.inherited()).containsExactly(new ErasureProof.InheritedPart("session-a", 0, 4));
            assertThat(stored(A)).hasSize(4);
        }

        @Test
        void reaches_a_session_that_was_deleted_and_of_which_a_prefix_is_kept() {
            create(A);
            fork(A, B);
            commands.delete(A);
            assertThatExceptionOfType(SessionNeededException.class)
                    .isThrownBy(() -> commands.erase(new EraseSession(A, false)))
                    .satisfies(e -> assertThat(e.neededBy()).containsExactly(B));
            assertThat(commands.erase(new EraseSession(A, true)).sessions()).containsExactly(A, B);
            assertThat(commands.erase(new EraseSession(A, false)).events()).isZero();
            isUnknown(stack, B);
        }

        @Test
        void of_what_never_was_is_refused() {
            assertThatThrownBy(() -> commands.erase(new EraseSession(A, true)))
                    .isInstanceOf(UnknownSessionException.class);
        }
    }
}
