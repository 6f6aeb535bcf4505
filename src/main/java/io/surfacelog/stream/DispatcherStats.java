package io.surfacelog.stream;

/**
 * How delivery to listeners goes, since they were started.
 *
 * @param listeners how many there are
 * @param failures how many events a listener has failed on, over all of them
 */
public record DispatcherStats(int listeners, long failures) {}
