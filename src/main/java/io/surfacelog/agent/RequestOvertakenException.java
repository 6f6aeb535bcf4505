package io.surfacelog.agent;

import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfacelogException;

/**
 * Others have changed what the model sees between an attempt's request and its first event, so that the request could not be
 * rebuilt from the log. Nothing of the attempt was written: ask again.
 */
public final class RequestOvertakenException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    private final String session;

    RequestOvertakenException(SessionId session, String where, long asked, long found) {
        super("session " + session + ", " + where + ": expected the surface as of seq " + asked
                + ", which the request was derived from, found it changed before seq " + found
                + "; derive the request anew and ask again");
        this.session = session.value();
    }

    public SessionId session() {
        return SessionId.of(session);
    }
}
