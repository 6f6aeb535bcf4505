package io.surfacelog.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.surfacelog.command.CommandInterceptor;
import io.surfacelog.command.DriverLease;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.SessionCommand;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventTypeDeclaration;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.UserMessage;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.ForeignStoreException;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.StoredLease;
import io.surfacelog.store.memory.MemoryEventStore;
import io.surfacelog.stream.SessionEventListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

class SurfacelogAutoConfigurationTest {

    @TempDir
    Path directory;

    private Path database;
    private ApplicationContextRunner runner;

    @BeforeEach
    void prepareRunner() {
        database = directory.resolve("log.db");
        runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SurfacelogAutoConfiguration.class))
                .withPropertyValues("surfacelog.sqlite.path=" + database);
    }

    @Nested
    class WithNothingElse {

        @Test
        void anApplicationCanAppendAndAskAtOnce() {
            runner.run(context -> {
                SessionCommands commands = context.getBean(SessionCommands.class);
                SessionId id =
                        commands.create(SessionHeader.builder().cwd("/srv/app").build());
                commands.append(id, UserMessage.of("Where is my parcel?"), SurfaceIntent.append());

                assertThat(context.getBean(SessionQueries.class).messages(id))
                        .singleElement()
                        .satisfies(message -> assertThat(message.text()).isEqualTo("Where is my parcel?"));
                assertThat(database).exists();
            });
        }

        @Test
        void whatWasAppendedIsThereAfterARestart() {
            SessionId id = SessionId.of("kept");
            runner.run(context -> {
                SessionCommands commands = context.getBean(SessionCommands.class);
                commands.create(SessionHeader.builder().id(id).build());
                commands.append(id, TurnStart.of(1));
            });
            runner.run(
                    context -> assertThat(context.getBean(SessionQueries.class).nextSeq(id))
                            .isEqualTo(1));
        }

        @Test
        void noConnectionOfOursIsADataSourceBean() {
            runner.run(context -> assertThat(context).doesNotHaveBean(DataSource.class));
        }

        @Test
        void itStartsWithoutWhatIsOptional() {
            runner.withClassLoader(new FilteredClassLoader(
                            "picocli",
                            "org.springframework.boot.jdbc",
                            "org.springframework.boot.flyway",
                            "org.springframework.web",
                            "jakarta.servlet",
                            "org.springframework.boot.actuate",
                            "com.openai",
                            "okhttp3",
                            "io.micrometer"))
                    .run(context -> assertThat(context).hasNotFailed().hasSingleBean(SessionCommands.class));
        }

        @Test
        void aStoreInMemoryTouchesNoFile() {
            runner.withPropertyValues("surfacelog.store=memory").run(context -> {
                assertThat(context.getBean(EventStore.class)).isInstanceOf(MemoryEventStore.class);
                assertThat(database).doesNotExist();
            });
        }
    }

    @Nested
    class BesideADatabaseOfTheApplication {

        @Test
        void aDatabaseNamedByUrlStaysTheOnlyDataSourceAndUntouched() {
            runner.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                    .withPropertyValues(
                            "spring.datasource.url=jdbc:sqlite:" + directory.resolve("theirs.db"),
                            "spring.datasource.type=com.zaxxer.hikari.HikariDataSource")
                    .run(context -> {
                        DataSource theirs = context.getBean(DataSource.class);
                        append(context.getBean(SessionCommands.class));
                        assertThat(tables(theirs)).isZero();
                    });
        }

        @Test
        void aDatabaseOfABeanStaysTheOnlyDataSourceAndUntouched() {
            runner.withUserConfiguration(OwnDataSource.class)
                    .withPropertyValues("test.theirs=" + directory.resolve("theirs.db"))
                    .run(context -> {
                        append(context.getBean(SessionCommands.class));
                        assertThat(tables(context.getBean(DataSource.class))).isZero();
                    });
        }

        @Test
        void aDatabaseOfAServiceConnectionStaysTheOnlyDataSourceAndUntouched() {
            runner.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                    .withBean(JdbcConnectionDetails.class, () -> new Connection(directory.resolve("theirs.db")))
                    .run(context -> {
                        append(context.getBean(SessionCommands.class));
                        assertThat(tables(context.getBean(DataSource.class))).isZero();
                    });
        }

        private record Connection(Path file) implements JdbcConnectionDetails {

            @Override
            public String getUsername() {
                return "";
            }

            @Override
            public String getPassword() {
                return "";
            }

            @Override
            public String getJdbcUrl() {
                return "jdbc:sqlite:" + file;
            }
        }

        private static void append(SessionCommands commands) {
            SessionId id = commands.create(SessionHeader.builder().build());
            commands.append(id, TurnStart.of(1));
        }

        private static int tables(DataSource theirs) {
            return JdbcClient.create(theirs)
                    .sql("SELECT count(*) FROM sqlite_master")
                    .query(Integer.class)
                    .single();
        }
    }

    @Nested
    class BeansOfTheApplication {

        @Test
        void aStoreOfItsOwnTakesThePlaceOfOurs() {
            runner.withBean(EventStore.class, MemoryEventStore::create).run(context -> {
                assertThat(context).hasSingleBean(EventStore.class);
                assertThat(database).doesNotExist();
            });
        }

        @Test
        void aTypeItDeclaresCanBeAppendedAndIsLoadedWithoutTheBeanButNotAppended() {
            SessionId id = SessionId.of("costs");
            OpaquePayload cost = OpaquePayload.of("billing/cost", JsonObject.EMPTY);
            runner.withBean(EventTypeDeclaration.class, () -> new EventTypeDeclaration("billing/cost"))
                    .run(context -> {
                        SessionCommands commands = context.getBean(SessionCommands.class);
                        commands.create(SessionHeader.builder().id(id).build());
                        commands.append(id, cost);
                    });
            runner.run(context -> {
                assertThat(context.getBean(SessionQueries.class).surface(id).nextSeq())
                        .isEqualTo(1);
                assertThatThrownBy(() -> context.getBean(SessionCommands.class).append(id, cost))
                        .isInstanceOfSatisfying(
                                AdmissionException.class,
                                refusal -> assertThat(refusal.rule()).isEqualTo(AdmissionRule.TYPE_UNDECLARED));
            });
        }

        @Test
        void interceptorsStandAroundEveryWrite() {
            BlockingQueue<SessionCommand<?>> seen = new LinkedBlockingQueue<>();
            runner.withBean(CommandInterceptor.class, () -> new Recording(seen)).run(context -> {
                SessionCommands commands = context.getBean(SessionCommands.class);
                SessionId id = commands.create(SessionHeader.builder().build());
                commands.appendAll(id, List.of(EventDraft.of(TurnStart.of(1))));
                commands.recover(id);
                assertThat(seen)
                        .extracting(command -> command.getClass().getSimpleName())
                        .containsExactly("CreateSession", "AppendEvents", "RecoverSession");
            });
        }

        @Test
        void aListenerMayDependOnTheCommandsItHearsOf() {
            runner.withUserConfiguration(AppendingListener.class).run(context -> {
                SessionCommands commands = context.getBean(SessionCommands.class);
                SessionId id = commands.create(SessionHeader.builder().build());
                commands.append(id, TurnStart.of(1));

                @SuppressWarnings("unchecked")
                BlockingQueue<String> heard = context.getBean("heard", BlockingQueue.class);
                assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("turn/start");
                assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("user/message");
            });
        }
    }

    @Nested
    class AtStartUp {

        @Test
        void aForeignDatabaseIsExplainedAndLeftAsItWas() throws Exception {
            Files.writeString(database, "not a database, but something somebody wants to keep");
            byte[] before = Files.readAllBytes(database);
            runner.run(context -> {
                assertThat(context).hasFailed();
                FailureAnalysis analysis = new StoreFailureAnalyzer().analyze(context.getStartupFailure());
                assertThat(analysis).isNotNull();
                assertThat(analysis.getDescription()).contains(database.toString());
                assertThat(analysis.getAction()).contains("surfacelog.sqlite.path");
                assertThat(context.getStartupFailure()).hasRootCauseInstanceOf(ForeignStoreException.class);
            });
            assertThat(Files.readAllBytes(database)).isEqualTo(before);
        }

        @Test
        void aDirectoryInThePlaceOfTheDatabaseIsExplained() throws Exception {
            Files.createDirectory(database);
            runner.run(context -> {
                FailureAnalysis analysis = new StoreFailureAnalyzer().analyze(context.getStartupFailure());
                assertThat(analysis).isNotNull();
                assertThat(analysis.getDescription()).contains("directory");
            });
        }

        @Test
        void aSettingOutOfRangeIsRefusedWithItsRange() {
            runner.withPropertyValues("surfacelog.live.max-sessions=0")
                    .run(context ->
                            assertThat(context.getStartupFailure()).hasStackTraceContaining("at least 1 live session"));
            runner.withPropertyValues("surfacelog.live.max-bytes=0B")
                    .run(context -> assertThat(context.getStartupFailure())
                            .hasStackTraceContaining("at least 1 byte for live"));
            runner.withPropertyValues("surfacelog.checkpoints.every=0")
                    .run(context ->
                            assertThat(context.getStartupFailure()).hasStackTraceContaining("every 1 event or more"));
            runner.withPropertyValues("surfacelog.limits.max-event-bytes=12B")
                    .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining("from 1024"));
            runner.withPropertyValues("surfacelog.queue.max-bytes=1000B")
                    .run(context -> assertThat(context.getStartupFailure())
                            .hasStackTraceContaining("surfacelog.queue.max-bytes from 1KB"));
            for (String duration : List.of("999ms", "61m")) {
                runner.withPropertyValues("surfacelog.lease.duration=" + duration)
                        .run(context -> assertThat(context.getStartupFailure())
                                .hasStackTraceContaining("expected a lease from 1 s to 1 h"));
            }
            runner.withPropertyValues("surfacelog.queue.when-full=drop")
                    .run(context -> assertThat(context.getStartupFailure())
                            .hasStackTraceContaining("surfacelog.queue.when-full"));
        }
    }

    @Test
    void the_lease_lives_as_long_as_is_set() {
        runner.withPropertyValues("surfacelog.lease.duration=20m").run(context -> {
            SessionCommands commands = context.getBean(SessionCommands.class);
            SessionId id = commands.create(SessionHeader.builder().build());
            try (DriverLease driver = commands.drive(id)) {
                StoredLease lease = context.getBean(EventStore.class)
                        .lease(id, LeasePurpose.DRIVER)
                        .orElseThrow();
                assertThat(lease.token()).isEqualTo(driver.token());
                assertThat(lease.expiresAt() - lease.renewedAt()).isEqualTo(20 * 60_000L);
            }
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnDataSource {

        @Bean
        HikariDataSource theirs(org.springframework.core.env.Environment environment) {
            HikariDataSource theirs = new HikariDataSource();
            theirs.setJdbcUrl("jdbc:sqlite:" + environment.getRequiredProperty("test.theirs"));
            return theirs;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AppendingListener {

        @Bean
        BlockingQueue<String> heard() {
            return new LinkedBlockingQueue<>();
        }

        @Bean
        SessionEventListener listener(SessionCommands commands, BlockingQueue<String> heard) {
            return committed -> {
                heard.add(committed.event().type());
                if (committed.event().payload() instanceof TurnStart) {
                    commands.append(committed.session(), UserMessage.of("noted"), SurfaceIntent.append());
                }
            };
        }
    }

    private record Recording(BlockingQueue<SessionCommand<?>> seen) implements CommandInterceptor {

        @Override
        public <R> CompletableFuture<R> intercept(SessionCommand<R> command, Chain chain) {
            seen.add(command);
            return chain.proceed(command);
        }
    }
}
