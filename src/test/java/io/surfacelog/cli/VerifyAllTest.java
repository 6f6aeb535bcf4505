package io.surfacelog.cli;

import static io.surfacelog.store.SampleLogs.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.projection.SessionVerifier;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.store.memory.MemoryEventStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerifyAllTest {

    /** A store whose list knows of a session that its index of ids does not. */
    private static EventStore withoutIndexEntry(EventStore real, SessionId lost) {
        return (EventStore) Proxy.newProxyInstance(
                EventStore.class.getClassLoader(), new Class<?>[] {EventStore.class}, (proxy, method, args) -> {
                    if (args != null && args.length > 0 && lost.equals(args[0])) {
                        throw new UnknownSessionException(lost);
                    }
                    try {
                        return method.invoke(real, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void a_session_that_is_listed_but_not_found_by_its_id_is_not_sound_and_hides_no_other() throws Exception {
        MemoryEventStore real = MemoryEventStore.create();
        for (String id : List.of("a", "lost", "z")) {
            real.commit(List.of(SessionWrite.create(header(id), List.of())));
        }
        EventStore store = withoutIndexEntry(real, SessionId.of("lost"));
        SurfaceProjection projection = new SurfaceProjection(store, 10);
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Console console = new Console(
                new ByteArrayInputStream(new byte[0]), new PrintStream(printed, true), new PrintStream(printed, true));
        boolean sound;
        try (Output out = console.output()) {
            sound = VerifyCommand.allSessions(
                    SessionQueries.of(store, projection), new SessionVerifier(store, projection), out);
        }

        assertThat(sound).isFalse();
        assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualTo("""
                        z: sound, 0 events
                        lost: not sound
                          fault: it is among the sessions, but is not found by its id
                        a: sound, 0 events
                        """);
    }
}
