package io.surfacelog.projection;

/**
 * What a projection holds, and what it has done since it was made.
 *
 * @param liveSessions sessions held in memory
 * @param liveBytes the memory they take, by estimate: four bytes for each character of the JSON of their nodes, and some
 *     for each node
 * @param openedFromLog sessions opened by a fold of their whole log
 * @param openedFromCheckpoint sessions opened from a checkpoint and what follows it
 * @param openingNanos how long opening them took, added up, in nanoseconds
 * @param hits looks that found their session in memory
 * @param evicted sessions that left memory to make room
 * @param checkpointsWritten checkpoints the store has kept
 */
public record ProjectionStats(
        int liveSessions,
        long liveBytes,
        long openedFromLog,
        long openedFromCheckpoint,
        long openingNanos,
        long hits,
        long evicted,
        long checkpointsWritten) {

    /** Sessions opened in either way. */
    public long opened() {
        return openedFromLog + openedFromCheckpoint;
    }
}
