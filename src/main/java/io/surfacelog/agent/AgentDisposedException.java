package io.surfacelog.agent;

import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfacelogException;

/** An agent that has ended was given input. */
public final class AgentDisposedException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    private final String session;

    public AgentDisposedException(SessionId session) {
        super("the agent of session " + session + " has ended and takes no more input; resume the session");
        this.session = session.value();
    }

    public SessionId session() {
        return SessionId.of(session);
    }
}
