package io.surfacelog.compaction;

import java.util.OptionalLong;

/**
 * What the next request of a session is expected to cost, in tokens.
 *
 * @param total the expectation, from 0
 * @param basis what it rests on
 * @param reported what the provider reported for the last request and its answer; 0 without one
 * @param change what has joined the surface since, less what has left it, by estimate; 0 without a report
 * @param estimated surface, system prompt and tools by estimate alone, whatever the basis
 * @param usageSeq the assistant/message that holds the report; empty without one
 * @param nextSeq after how many events of the log this is so
 */
public record TokenCount(
        long total, Basis basis, long reported, long change, long estimated, OptionalLong usageSeq, long nextSeq) {

    /** What a count rests on. */
    public enum Basis {
        /** The report of the last request, and the change since: {@code total = reported + change}. */
        USAGE,
        /**
         * Estimates alone: {@code total = estimated}. Before the first report, and where more has left the surface since than
         * was reported, so that the report cannot have been of the same measure.
         */
        ESTIMATE
    }
}
