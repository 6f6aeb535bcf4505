package io.surfacelog.store;

import io.surfacelog.event.SessionId;

/** There is no session of this id. */
public final class UnknownSessionException extends StoreException {

    private static final long serialVersionUID = 1L;

    private final String session;

    public UnknownSessionException(SessionId session) {
        super("there is no session \"" + session + "\" in this store; list shows those there are");
        this.session = session.value();
    }

    public SessionId session() {
        return SessionId.of(session);
    }
}
