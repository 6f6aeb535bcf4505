package io.surfacelog.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.surfacelog.agent.Agent;
import io.surfacelog.agent.AgentProfile;
import io.surfacelog.agent.Agents;
import io.surfacelog.autoconfigure.SurfacelogAutoConfiguration;
import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandObserver;
import io.surfacelog.command.CommitGroup;
import io.surfacelog.command.SessionCommand;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.Usage;
import io.surfacelog.event.UserMessage;
import io.surfacelog.model.ModelPort;
import io.surfacelog.projection.QueryObserver;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.stream.SessionEventListener;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What is measured, and that nothing depends on it. */
class MetersTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SurfacelogAutoConfiguration.class, ActuateAutoConfiguration.class))
            .withPropertyValues("surfacelog.store=memory")
            .withBean(MeterRegistry.class, () -> registry);

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    private void bind(org.springframework.context.ApplicationContext context) {
        context.getBeansOfType(MeterBinder.class).values().forEach(binder -> binder.bindTo(registry));
    }

    @Test
    void an_observer_of_the_application_that_throws_harms_neither_the_query_nor_the_meters() {
        QueryObserver failing = (moment, nanos) -> {
            throw new IllegalStateException("cannot count");
        };
        runner.withBean("theirs", QueryObserver.class, () -> failing).run(context -> {
            SessionId id = context.getBean(SessionCommands.class)
                    .create(SessionHeader.builder().build());

            assertThat(context.getBean(SessionQueries.class).messages(id)).isEmpty();

            assertThat(registry.get("surfacelog.derive")
                            .tags("moment", "now")
                            .timer()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void writes_are_counted_and_timed_commit_by_commit() {
        runner.run(context -> {
            SessionCommands commands = context.getBean(SessionCommands.class);
            SessionId id = commands.create(SessionHeader.builder().build());
            commands.append(id, UserMessage.of("one"), SurfaceIntent.append());
            commands.append(
                    id, UserMessage.of("both"), SurfaceIntent.replace(0, 0).citing(0));

            assertThat(count("surfacelog.appends")).isEqualTo(3);
            assertThat(count("surfacelog.events", "door", "append")).isEqualTo(2);
            assertThat(count("surfacelog.events.size"))
                    .isEqualTo((double) context.getBean(SessionQueries.class).events(id, 0, 2).stream()
                            .mapToLong(event -> event.data().utf8Bytes())
                            .sum());
            assertThat(count("surfacelog.replaces")).isEqualTo(1);
            assertThat(registry.get("surfacelog.commit").timer().count()).isEqualTo(3);
            assertThat(registry.get("surfacelog.commit").timer().totalTime(TimeUnit.NANOSECONDS))
                    .isPositive();
            assertThat(registry.get("surfacelog.commit.group").summary().totalAmount())
                    .isEqualTo(3);
            assertThat(registry.get("surfacelog.queue.wait").timer().count()).isEqualTo(3);
        });
    }

    @Test
    void what_was_refused_is_counted_by_its_rule_and_by_nothing_else() {
        runner.run(context -> {
            SessionCommands commands = context.getBean(SessionCommands.class);
            SessionId id = commands.create(SessionHeader.builder().build());
            AdmissionException[] refused = new AdmissionException[1];
            assertThatThrownBy(() -> commands.append(id, UserMessage.of("x"), SurfaceIntent.replace(7, 9)))
                    .isInstanceOfSatisfying(AdmissionException.class, e -> refused[0] = e);

            assertThat(count("surfacelog.rejected", "rule", refused[0].rule().code()))
                    .isEqualTo(1);
            assertThat(count("surfacelog.appends")).isEqualTo(1);
        });
    }

    @Test
    void queries_hits_and_listener_failures_are_counted() {
        runner.withBean(SessionEventListener.class, () -> event -> {
                    throw new IllegalStateException("on purpose");
                })
                .run(context -> {
                    bind(context);
                    SessionCommands commands = context.getBean(SessionCommands.class);
                    SessionId id = commands.create(SessionHeader.builder().build());
                    commands.append(id, UserMessage.of("one"), SurfaceIntent.append());
                    SessionQueries queries = context.getBean(SessionQueries.class);
                    double before = registry.get("surfacelog.sessions.hits")
                            .functionCounter()
                            .count();
                    queries.messages(id);
                    queries.messagesAsOf(id, 0);

                    assertThat(registry.get("surfacelog.derive")
                                    .tag("moment", "now")
                                    .timer()
                                    .count())
                            .isEqualTo(1);
                    assertThat(registry.get("surfacelog.derive")
                                    .tag("moment", "as-of")
                                    .timer()
                                    .count())
                            .isEqualTo(1);
                    assertThat(registry.get("surfacelog.sessions.hits")
                                    .functionCounter()
                                    .count())
                            .isGreaterThan(before);
                    Bounded.until(() -> registry.get("surfacelog.listener.failures")
                                    .functionCounter()
                                    .count()
                            == 1);
                });
    }

    @Test
    void sessions_are_told_as_they_are_held_and_opened() {
        runner.withPropertyValues("surfacelog.live.max-sessions=1", "surfacelog.checkpoints.every=3")
                .run(context -> {
                    bind(context);
                    SessionCommands commands = context.getBean(SessionCommands.class);
                    SessionId first = commands.create(SessionHeader.builder().build());
                    for (int i = 0; i < 3; i++) {
                        commands.append(first, UserMessage.of("hello"), SurfaceIntent.append());
                    }
                    Bounded.until(() -> registry.get("surfacelog.checkpoints.written")
                                    .functionCounter()
                                    .count()
                            == 1);
                    SessionId second = commands.create(SessionHeader.builder().build());
                    SessionQueries queries = context.getBean(SessionQueries.class);
                    queries.messages(first);
                    queries.messages(second);

                    assertThat(registry.get("surfacelog.sessions.live").gauge().value())
                            .isEqualTo(1);
                    assertThat(registry.get("surfacelog.sessions.live.size")
                                    .gauge()
                                    .value())
                            .isZero();
                    queries.messages(first);
                    assertThat(registry.get("surfacelog.sessions.live.size")
                                    .gauge()
                                    .value())
                            .isPositive();
                    assertThat(opened("checkpoint")).isEqualTo(2);
                    assertThat(opened("log")).isEqualTo(1);
                    assertThat(registry.get("surfacelog.sessions.open")
                                    .functionTimer()
                                    .count())
                            .isEqualTo(3);
                    assertThat(registry.get("surfacelog.sessions.evicted")
                                    .functionCounter()
                                    .count())
                            .isEqualTo(4);
                });
    }

    private double opened(String from) {
        return registry.get("surfacelog.sessions.opened")
                .tag("from", from)
                .functionCounter()
                .count();
    }

    @Test
    void an_observer_that_fails_takes_no_part_in_any_write() {
        runner.withBean("failing", CommandObserver.class, () -> new CommandObserver() {
                    @Override
                    public Course begin(SessionCommand<?> command) {
                        throw new IllegalStateException("on purpose");
                    }

                    @Override
                    public void committed(CommitGroup group) {
                        throw new IllegalStateException("on purpose");
                    }
                })
                .run(context -> {
                    SessionCommands commands = context.getBean(SessionCommands.class);
                    SessionId id = commands.create(SessionHeader.builder().build());
                    commands.append(id, TurnStart.of(1));

                    assertThat(context.getBean(SessionQueries.class).nextSeq(id))
                            .isEqualTo(1);
                    assertThat(count("surfacelog.appends")).isEqualTo(2);
                });
    }

    @Test
    void a_model_call_and_a_command_are_observed_under_their_conventional_names() {
        List<Observation.Context> stopped = new CopyOnWriteArrayList<>();
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {
            @Override
            public void onStop(Observation.Context context) {
                stopped.add(context);
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        ModelPort model = (call, sink) -> {
            sink.accept(StreamChunk.text(0, "Lyon."));
            sink.accept(StreamChunk.usage(Usage.of(21, 2)));
            sink.accept(StreamChunk.finish("stop"));
        };
        runner.withBean(ObservationRegistry.class, () -> observations).run(context -> {
            Agents agents = context.getBean(Agents.class);
            Agent agent = agents.create(SessionHeader.builder().build(), AgentProfile.of(model, "example", "helper-1"));
            agent.followUp("Where is my parcel?").outcome().get(30, TimeUnit.SECONDS);

            Observation.Context call = stopped.stream()
                    .filter(one -> one.getName().equals("gen_ai.client.operation.duration"))
                    .findFirst()
                    .orElseThrow();
            assertThat(call.getContextualName()).isEqualTo("chat helper-1");
            assertThat(call.getLowCardinalityKeyValues())
                    .extracting(Object::toString)
                    .containsExactlyInAnyOrder(
                            "keyValue(gen_ai.operation.name=chat)",
                            "keyValue(gen_ai.provider.name=example)",
                            "keyValue(gen_ai.request.model=helper-1)");
            assertThat(call.getHighCardinalityKeyValue("gen_ai.conversation.id").getValue())
                    .isEqualTo(agent.id().value());
            assertThat(call.getHighCardinalityKeyValue("gen_ai.usage.input_tokens")
                            .getValue())
                    .isEqualTo("21");
            assertThat(call.getHighCardinalityKeyValue("gen_ai.usage.output_tokens")
                            .getValue())
                    .isEqualTo("2");
            assertThat(call.getHighCardinalityKeyValue("gen_ai.response.finish_reasons")
                            .getValue())
                    .isEqualTo("stop");
            assertThat(registry.get("gen_ai.client.token.usage")
                            .tag("gen_ai.token.type", "input")
                            .summary()
                            .totalAmount())
                    .isEqualTo(21);
            assertThat(stopped).anySatisfy(one -> {
                assertThat(one.getName()).isEqualTo("surfacelog.command");
                assertThat(one.getLowCardinalityKeyValues())
                        .extracting(Object::toString)
                        .contains("keyValue(command=append)");
            });
        });
    }

    @Test
    void no_meter_carries_the_id_of_a_session() {
        runner.run(context -> {
            bind(context);
            SessionCommands commands = context.getBean(SessionCommands.class);
            SessionId id = commands.create(
                    SessionHeader.builder().id(SessionId.of("very-secret")).build());
            commands.append(id, UserMessage.of("one"), SurfaceIntent.append());

            assertThat(registry.getMeters())
                    .flatExtracting(meter -> meter.getId().getTags())
                    .extracting(Tag::getValue)
                    .doesNotContain(id.value());
        });
    }

    @Test
    void without_micrometer_and_without_the_actuator_everything_else_works() {
        for (String missing : Arrays.asList(
                "io.micrometer.core", "org.springframework.boot.actuate", "org.springframework.boot.health")) {
            new ApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(SurfacelogAutoConfiguration.class, ActuateAutoConfiguration.class))
                    .withPropertyValues("surfacelog.store=memory")
                    .withClassLoader(new FilteredClassLoader(missing))
                    .run(context ->
                            assertThat(context).as(missing).hasNotFailed().hasSingleBean(SessionCommands.class));
        }
    }
}
