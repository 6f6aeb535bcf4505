package io.surfacelog.agent;

import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfacelogException;

/** A session has a live agent in this process already. */
public final class AgentLiveException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    private final String session;

    public AgentLiveException(SessionId session) {
        super("session " + session + " has a live agent in this process; find it in the registry, or close it first");
        this.session = session.value();
    }

    public SessionId session() {
        return SessionId.of(session);
    }
}
