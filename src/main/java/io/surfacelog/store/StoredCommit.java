package io.surfacelog.store;

import io.surfacelog.event.SessionId;

/**
 * One commit of one session, in the global order.
 *
 * @param position its place, from 1, ascending in the order of commits
 * @param session the session
 * @param from its first event, included
 * @param to its last event, excluded; equal to {@code from} for the creation of an empty session
 */
public record StoredCommit(long position, SessionId session, long from, long to) {}
