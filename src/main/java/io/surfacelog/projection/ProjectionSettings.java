package io.surfacelog.projection;

/**
 * How much a projection holds, and how often it puts down where its folds stand.
 *
 * @param maxLiveSessions how many sessions are held in memory, from 1
 * @param maxLiveBytes how much memory they may take by estimate, from 1; the session used last is held whatever its size
 * @param checkpointsEvery how many events that are no stream chunks a session may grow by before a checkpoint of it is
 *     due, from 1; for a large surface it is a quarter of its nodes
 */
public record ProjectionSettings(int maxLiveSessions, long maxLiveBytes, int checkpointsEvery) {

    public ProjectionSettings {
        if (maxLiveSessions < 1) {
            throw new IllegalArgumentException("expected at least 1 live session, found " + maxLiveSessions);
        }
        if (maxLiveBytes < 1) {
            throw new IllegalArgumentException("expected at least 1 byte for live sessions, found " + maxLiveBytes);
        }
        if (checkpointsEvery < 1) {
            throw new IllegalArgumentException(
                    "expected checkpoints every 1 event or more, found every " + checkpointsEvery);
        }
    }

    /** 1,000 sessions in 256 MiB, a checkpoint every 1,024 events. */
    public static ProjectionSettings defaults() {
        return new ProjectionSettings(1_000, 256L << 20, 1_024);
    }

    public ProjectionSettings maxLiveSessions(int sessions) {
        return new ProjectionSettings(sessions, maxLiveBytes, checkpointsEvery);
    }

    public ProjectionSettings maxLiveBytes(long bytes) {
        return new ProjectionSettings(maxLiveSessions, bytes, checkpointsEvery);
    }

    public ProjectionSettings checkpointsEvery(int events) {
        return new ProjectionSettings(maxLiveSessions, maxLiveBytes, events);
    }
}
