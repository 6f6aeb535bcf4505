package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.CommandStack;
import io.surfacelog.crash.ChildJvm;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.model.ModelCall;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.projection.SessionVerifier;
import io.surfacelog.provider.Provider;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real process with an agent is killed again and again; the next one goes on with a request that providers take. */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class KilledAgentTest {

    private static final int KILLS = 12;

    @TempDir
    private Path directory;

    @Test
    void whoever_comes_next_goes_on() throws Exception {
        Path database = directory.resolve("store.db");
        SessionId id = SessionId.of("killed");
        try (EventStore store = SqliteEventStore.open(SqliteSettings.at(database));
                CommandStack stack = CommandStack.on(store).start()) {
            stack.commands.create(SessionHeader.builder().id(id).build());
        }
        Random random = new Random(7);
        long before = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            ChildJvm child = ChildJvm.start(AgentProgramme.class, database, id.value(), kill);
            child.awaitReady();
            child.awaitLines(2 + random.nextInt(60));
            assertThat(child.kill()).noneMatch(line -> line.startsWith("fault")).contains(ChildJvm.READY);
            before = goOn(database, id, before);
        }
    }

    private static long goOn(Path database, SessionId id, long before) {
        try (EventStore store = SqliteEventStore.open(SqliteSettings.at(database));
                CommandStack stack = CommandStack.on(store).start()) {
            assertThat(new SessionVerifier(store, stack.projection).verify(id).faults())
                    .isEmpty();
            ScriptedModel model = ScriptedModel.answering(call -> ScriptedAnswer.of("Here I am."));
            try (Agents agents = Agents.of(stack.commands, stack.queries, AgentHooks.none(), 4)) {
                Agent agent = agents.resume(id, AgentProfile.of(model, "example", "helper-1"));
                assertThat(agent.followUp("Are you still there?")
                                .outcome()
                                .join()
                                .reason())
                        .isEqualTo(TurnEndReason.completed());
            }
            for (ModelCall call : model.calls()) {
                for (Provider provider : Provider.values()) {
                    assertThat(provider.validate(provider.render(
                                            call.request().header(),
                                            call.request().messages())
                                    .body()))
                            .as("%s", provider)
                            .isEmpty();
                }
            }
            assertThat(stack.queries.surface(id).findings()).isEmpty();
            assertThat(stack.queries.nextSeq(id)).isGreaterThan(before);
            return stack.queries.nextSeq(id);
        }
    }
}
