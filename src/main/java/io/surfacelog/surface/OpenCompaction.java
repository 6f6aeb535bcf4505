package io.surfacelog.surface;

import java.util.Optional;

/**
 * A compaction that has begun in a log and not ended.
 *
 * @param id its id, empty if it was recorded without one
 * @param inherited whether a session/end-seed follows its start, so that whoever began it did so in another session
 */
public record OpenCompaction(Optional<String> id, boolean inherited) {}
