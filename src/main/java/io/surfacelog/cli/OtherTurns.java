package io.surfacelog.cli;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnStart;
import java.util.HashMap;
import java.util.Map;

/**
 * Shows, beside a chat, what goes on in other sessions: a line for each event worth one, headed by the session's durable id.
 * Their text is not shown as it comes, since two texts on one screen can be read by nobody. For the thread that delivers the
 * events.
 */
final class OtherTurns {

    /** A session of which turns were heard. */
    private record Heard(long turn, EventLines lines) {}

    private final ChatScreen screen;
    private final Map<SessionId, Heard> running = new HashMap<>();

    OtherTurns(ChatScreen screen) {
        this.screen = screen;
    }

    void show(SessionId session, SessionEvent event) {
        if (event.payload() instanceof TurnStart start) {
            running.put(session, new Heard(start.turn(), new EventLines()));
            return;
        }
        Heard heard = running.get(session);
        EventLines lines = heard == null ? new EventLines() : heard.lines();
        String turn = heard == null ? "" : " turn " + heard.turn();
        lines.of(event)
                .ifPresent(line -> screen.aside(
                        "[" + SessionIdArgument.typed(session) + turn + "] "
                                + line.text().strip(),
                        line.ink()));
        if (event.payload() instanceof TurnEnd) {
            running.remove(session);
        }
    }
}
