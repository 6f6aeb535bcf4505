package io.surfacelog.store;

import io.surfacelog.event.SessionId;
import java.util.List;

/**
 * The sessions are removed, but it is not certain that no byte of them is left in the files. Nothing of the guarantee holds
 * yet; erasing the same session once more goes on where this ended.
 */
public final class ErasureIncompleteException extends StoreException {

    private static final long serialVersionUID = 1L;

    private final List<String> sessions;

    public ErasureIncompleteException(List<SessionId> sessions, String reason) {
        super("the sessions " + sessions + " are removed, but not proven to be erased: " + reason
                + "; nothing of the guarantee holds yet, so erase once more");
        this.sessions = sessions.stream().map(SessionId::value).toList();
    }

    /** Those that are removed, the one asked for first. */
    public List<SessionId> sessions() {
        return sessions.stream().map(SessionId::of).toList();
    }
}
