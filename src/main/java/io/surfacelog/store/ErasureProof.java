package io.surfacelog.store;

import io.surfacelog.event.SessionId;
import java.util.List;

/**
 * What was erased, and what was looked at to make sure that nothing of it is left.
 *
 * @param sessions what is no more, the session asked for first; with it those that needed it, if that was asked for
 * @param events how many events they had of their own
 * @param rows how many rows of the database that took
 * @param inherited whose the events are that the session asked for had before its own; they stay with their owners
 * @param markers how many texts of the sessions were searched for, their ids among them
 * @param files the files that were read for them, whole
 * @param bytes how many bytes that was
 * @param elsewhere how many of those texts others hold too, other sessions or the store's own dictionary, and were found
 *     as theirs
 * @param found how many were found that nobody holds: always 0, since otherwise there is no proof
 */
public record ErasureProof(
        List<SessionId> sessions,
        long events,
        long rows,
        List<InheritedPart> inherited,
        int markers,
        List<String> files,
        long bytes,
        long elsewhere,
        long found) {

    public ErasureProof {
        sessions = List.copyOf(sessions);
        inherited = List.copyOf(inherited);
        files = List.copyOf(files);
    }

    /**
     * A part of a prefix that belongs to another session.
     *
     * @param owner the id of that session, or the hash of it if that was deleted
     * @param from first seq, included
     * @param to last seq, excluded
     */
    public record InheritedPart(String owner, long from, long to) {}
}
