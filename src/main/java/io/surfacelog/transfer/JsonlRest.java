package io.surfacelog.transfer;

import java.util.OptionalLong;

/**
 * What a salvage leaves out of a damaged file: everything from one line on.
 *
 * @param firstLine physical line, the header being 1; all lines before it are good
 * @param offset where it begins in the file; in a Zstandard file, where the frame begins that holds its first byte, of which
 *     lines before it may be good
 * @param bytes from there to the end of the file
 * @param lines how many there are, a torn one included; empty if they cannot be counted, since they do not decode
 */
public record JsonlRest(long firstLine, long offset, long bytes, OptionalLong lines) {}
