package io.surfacelog.command;

import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import java.util.Iterator;

/**
 * Take over a log kept elsewhere until now, as it is, in one transaction: all of it or nothing. Its events are never held
 * together, so it may be of any length.
 *
 * <pre>{@code
 * commands.importLog(new ImportSession(header, candidates, EventTypes.standard()));
 * }</pre>
 *
 * <p>The iterator is read once, on the thread of the caller, while the transaction is open and nobody else in this process
 * can write: it should do nothing but read a file, and must not write itself. Each of its events is admitted as it is read.
 * What it throws undoes the import and reaches the caller as it is. Listeners read the events from the store.
 *
 * @param header the header of the new session
 * @param log its events, numbered from 0
 * @param types the types they may have; those beyond the format's are recorded as declared first, even if the log is then
 *     refused
 */
public record ImportSession(SessionHeader header, Iterator<EventCandidate> log, EventTypes types)
        implements SessionCommand<Imported> {

    @Override
    public SessionId session() {
        return header.id();
    }
}
