package io.surfacelog.transfer;

import io.surfacelog.event.EventCandidate;
import java.util.List;

/**
 * One complete line of a log file after the header, and the events that it holds: one, or all members of a chunk row.
 * They are sound in themselves; whether they may follow what stands before them is for admission to say.
 *
 * @param number physical line, the header being 1; give it to {@code AdmissionException.line}
 * @param offset where the line, or the Zstandard frame that holds its first byte, begins in the file: up to here the file is
 *     good if the line is refused
 * @param bytes length of the line, line end included
 * @param firstIndex index of its first event in the unpacked log
 * @param events at least one; the list of a row makes a member each time it is asked for one, so iterate over it once
 */
public record JsonlLine(long number, long offset, long bytes, long firstIndex, List<EventCandidate> events) {}
