package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.UserMessage;
import io.surfacelog.testing.Aside;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Interceptors stand around every write. */
class InterceptorTest extends StoreSuite {

    private final List<String> heard = new CopyOnWriteArrayList<>();

    private final class Named implements CommandInterceptor {

        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public <R> CompletableFuture<R> intercept(SessionCommand<R> command, Chain chain) {
            heard.add(name + " " + command.getClass().getSimpleName());
            return chain.proceed(command)
                    .whenComplete((result, failure) -> heard.add(name
                            + (failure == null
                                    ? " done"
                                    : " " + failure.getClass().getSimpleName())));
        }
    }

    /** An interceptor for appends, which the compiler cannot tell apart. */
    private interface OfAppends extends CommandInterceptor {

        CompletableFuture<Appended> append(AppendEvents append, Chain chain);

        @Override
        @SuppressWarnings("unchecked")
        default <R> CompletableFuture<R> intercept(SessionCommand<R> command, Chain chain) {
            return command instanceof AppendEvents append
                    ? (CompletableFuture<R>) append(append, chain)
                    : chain.proceed(command);
        }
    }

    @Test
    void the_first_is_the_outermost_and_all_see_every_kind_of_command_and_its_result() {
        SessionCommands commands = start(
                        CommandStack.on(store()).interceptor(new Named("outer")).interceptor(new Named("inner")))
                .commands;

        SessionId id = commands.create(header("s"));
        commands.append(id, TurnStart.of(1));
        commands.appendAsync(id, UserMessage.of("hi"), SurfaceIntent.append()).join();
        commands.recover(id);

        assertThat(heard)
                .containsExactly(
                        "outer CreateSession",
                        "inner CreateSession",
                        "inner done",
                        "outer done",
                        "outer AppendEvents",
                        "inner AppendEvents",
                        "inner done",
                        "outer done",
                        "outer AppendEvents",
                        "inner AppendEvents",
                        "inner done",
                        "outer done",
                        "outer RecoverSession",
                        "inner RecoverSession",
                        "inner done",
                        "outer done");
    }

    @Test
    void a_refusal_of_admission_reaches_them_where_results_do() {
        SessionCommands commands = start(CommandStack.on(store()).interceptor(new Named("one"))).commands;
        SessionId id = commands.create(header("s"));
        heard.clear();

        assertThatExceptionOfType(AdmissionException.class)
                .isThrownBy(() -> commands.append(
                        id, UserMessage.of("x"), SurfaceIntent.replace(0, 0).citing(0)));

        assertThat(heard).containsExactly("one AppendEvents", "one AdmissionException");
    }

    @Test
    void one_may_hand_on_another_command() {
        OfAppends stamp = (append, chain) -> chain.proceed(new AppendEvents(
                append.session(),
                next -> append.batch().apply(next).stream()
                        .map(draft -> draft.at(7))
                        .toList(),
                append.expectedNextSeq(),
                append.idempotencyKey()));
        SessionCommands commands = start(CommandStack.on(store()).interceptor(stamp)).commands;
        SessionId id = commands.create(header("s"));

        assertThat(commands.append(id, TurnStart.of(1)).events().get(0).time()).isEqualTo(7);
    }

    @Test
    void one_may_refuse_and_nothing_is_written() {
        OfAppends refuse = (append, chain) -> {
            throw new IllegalStateException("over quota");
        };
        SessionCommands commands = start(CommandStack.on(store()).interceptor(refuse)).commands;
        SessionId id = commands.create(header("s"));

        assertThatThrownBy(() -> commands.append(id, TurnStart.of(1))).hasMessage("over quota");
        CompletableFuture<Appended> refused = commands.appendAsync(id, TurnStart.of(1));
        assertThatThrownBy(refused::join).hasRootCauseMessage("over quota");
        assertThat(storedNextSeq(id)).isZero();
    }

    @Test
    void one_may_change_the_result() {
        OfAppends mark = (append, chain) -> chain.proceed(append)
                .thenApply(result -> new Appended(result.session(), result.events(), result.nextSeq(), true));
        SessionCommands commands = start(CommandStack.on(store()).interceptor(mark)).commands;
        SessionId id = commands.create(header("s"));

        assertThat(commands.append(id, TurnStart.of(1)).repeated()).isTrue();
    }

    @Test
    void one_may_go_on_later_and_on_another_thread() {
        CountDownLatch release = new CountDownLatch(1);
        OfAppends later = (append, chain) ->
                Aside.run(() -> Bounded.await(release)).thenCompose(nothing -> chain.proceed(append));
        SessionCommands commands = start(CommandStack.on(store()).interceptor(later)).commands;
        SessionId id = commands.create(header("s"));

        CompletableFuture<Appended> first = commands.appendAsync(id, TurnStart.of(1));
        assertThat(first).isNotDone();
        release.countDown();

        assertThat(first.join().seq()).isZero();
        assertThat(commands.append(id, TurnEnd.of(1, TurnEndReason.completed())).seq())
                .isEqualTo(1);
    }

    @Test
    void one_that_throws_after_it_has_gone_on_leaves_the_write_to_be_committed() {
        OfAppends careless = (append, chain) -> {
            CompletableFuture<?> unused =
                    chain.proceed(append).whenComplete((result, failure) -> heard.add("seq " + result.seq()));
            throw new IllegalStateException("too late");
        };
        CommandStack stack = start(CommandStack.on(store()).interceptor(careless));
        SessionId id = stack.commands.create(header("s"));

        assertThatThrownBy(() -> stack.commands.append(id, TurnStart.of(1))).hasMessage("too late");
        stack.close();

        assertThat(storedNextSeq(id)).isEqualTo(1);
        assertThat(heard).containsExactly("seq 0");
    }
}
