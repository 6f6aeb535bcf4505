package io.surfacelog.compaction;

import java.util.List;
import java.util.OptionalLong;

/**
 * What a search found.
 *
 * @param passages one for each event, the newest first
 * @param next the seq before which the search can go on, empty if it came to the beginning
 */
public record RecallFindings(List<RecallPassage> passages, OptionalLong next) {

    public RecallFindings {
        passages = List.copyOf(passages);
    }
}
