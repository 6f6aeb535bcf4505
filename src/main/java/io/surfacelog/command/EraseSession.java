package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.ErasureProof;

/**
 * Remove a session so that no byte of it is left in the store.
 *
 * @param session the session, which may have been deleted before
 * @param cascade whether the sessions that hold events of it or name it as their parent are erased with it
 */
public record EraseSession(SessionId session, boolean cascade) implements SessionCommand<ErasureProof> {}
