package io.surfacelog.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.UserMessage;
import io.surfacelog.stream.EventDispatcher;
import io.surfacelog.stream.SessionEventCommitted;
import io.surfacelog.stream.SessionStream;
import io.surfacelog.stream.StreamRequest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;

/** The stream in a Spring application. */
class StreamBeansTest {

    private static final SessionId ID = SessionId.of("s");

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SurfacelogAutoConfiguration.class))
            .withPropertyValues("surfacelog.store=memory");

    /** Remembers the seqs it heard, and throws on each. */
    static class Asking {

        final List<Long> seqs = new CopyOnWriteArrayList<>();

        @EventListener
        void on(SessionEventCommitted committed) {
            seqs.add(committed.event().seq());
            throw new IllegalStateException("on purpose");
        }
    }

    /** Takes whatever there is. */
    static class TakingAll {

        final List<Object> events = new CopyOnWriteArrayList<>();

        @EventListener
        void on(Object event) {
            if (event instanceof SessionEventCommitted) {
                events.add(event);
            }
        }
    }

    private static void append(ApplicationContext context, int events) {
        SessionCommands commands = context.getBean(SessionCommands.class);
        commands.create(SessionHeader.builder().id(ID).build());
        for (int i = 0; i < events; i++) {
            commands.append(ID, UserMessage.of("m" + i), SurfaceIntent.append());
        }
    }

    private static boolean isFed(ApplicationContext context) {
        return context.getBean(EventDispatcher.class).stats().listeners() > 0;
    }

    @Test
    void an_event_listener_method_hears_what_is_committed_and_what_it_throws_is_contained() {
        runner.withBean(Asking.class).run(context -> {
            append(context, 5);
            List<Long> seqs = context.getBean(Asking.class).seqs;
            Bounded.until(() -> seqs.size() == 5);
            assertThat(seqs)
                    .containsExactlyElementsOf(
                            IntStream.range(0, 5).mapToObj(Long::valueOf).toList());
        });
    }

    @Test
    void nothing_is_published_where_nobody_asks_unless_it_is_set() {
        runner.withBean(TakingAll.class)
                .run(context -> assertThat(isFed(context)).isFalse());
        runner.withBean(Asking.class)
                .withPropertyValues("surfacelog.stream.application-events=never")
                .run(context -> assertThat(isFed(context)).isFalse());
        runner.withBean(TakingAll.class)
                .withPropertyValues("surfacelog.stream.application-events=always")
                .run(context -> {
                    append(context, 2);
                    Bounded.until(() -> context.getBean(TakingAll.class).events.size() == 2);
                });
    }

    @Test
    void subscriptions_are_made_with_a_bean_and_end_with_the_context() {
        List<Long> seqs = new CopyOnWriteArrayList<>();
        runner.run(context -> {
            SessionStream stream = context.getBean(SessionStream.class);
            var subscription = stream.subscribe(
                    StreamRequest.all(), committed -> seqs.add(committed.event().seq()));
            append(context, 3);
            Bounded.until(() -> seqs.size() == 3);
            context.close();
            assertThat(subscription.ended()).isCompleted();
        });
    }

    @Test
    void a_setting_out_of_range_is_refused_with_its_range() {
        for (String setting : List.of("buffer-size=0", "poll-interval=0ms", "poll-interval=2m", "hold=1ms")) {
            runner.withPropertyValues("surfacelog.stream." + setting)
                    .run(context -> assertThat(context.getStartupFailure())
                            .as(setting)
                            .rootCause()
                            .hasMessageContaining("expected a"));
        }
    }
}
