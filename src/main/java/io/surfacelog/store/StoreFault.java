package io.surfacelog.store;

import io.surfacelog.event.SessionId;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One thing in the store that is not as it was written.
 *
 * @param session the session, null where it cannot be told or does not matter
 * @param seq the event, empty where it is not about one
 * @param where table or structure, for people to read
 * @param detail what was expected and what was found
 */
public record StoreFault(@Nullable SessionId session, OptionalLong seq, String where, String detail) {

    @Override
    public String toString() {
        return where
                + (session == null ? "" : ", session " + session)
                + (seq.isPresent() ? ", event " + seq.getAsLong() : "")
                + ": " + detail;
    }
}
