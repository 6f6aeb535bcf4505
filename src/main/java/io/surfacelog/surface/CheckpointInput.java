package io.surfacelog.surface;

import io.surfacelog.event.EventSeqs;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Reads what {@link CheckpointOutput} wrote, and refuses everything else; it never allocates more than the bytes warrant. */
final class CheckpointInput {

    private final byte[] bytes;
    private int at;

    CheckpointInput(byte[] bytes) {
        this.bytes = bytes;
    }

    long count() {
        long number = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            int part = nextByte();
            number |= (long) (part & 0x7F) << shift;
            if (part < 0x80) {
                if (part == 0 && shift > 0) {
                    throw refused("a number in its shortest form");
                }
                return number;
            }
        }
        throw refused("a number below 2^63");
    }

    /** A count of things that take at least one byte each. */
    int items() {
        long items = count();
        if (items > bytes.length - at) {
            throw refused("at most as many items as bytes are left");
        }
        return (int) items;
    }

    long number() {
        long folded = count();
        return folded >>> 1 ^ -(folded & 1);
    }

    /** A seq below the given one, or -1. */
    long seqOrNone(long below) {
        long seq = count() - 1;
        if (seq >= below) {
            throw refused("a seq below " + below);
        }
        return seq;
    }

    boolean flag() {
        int flag = nextByte();
        if (flag > 1) {
            throw refused("a flag");
        }
        return flag == 1;
    }

    String text() {
        int length = items();
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            long unit = count();
            if (unit > Character.MAX_VALUE) {
                throw refused("a unit of a text");
            }
            text.append((char) unit);
        }
        return text.toString();
    }

    /** Seqs below the given one, each once. */
    EventSeqs seqs(long below) {
        EventSeqs.Builder seqs = EventSeqs.builder();
        long end = 0;
        int runs = items();
        for (int i = 0; i < runs; i++) {
            long first = end + number();
            long last = first + count();
            if (first < 0 || last < first || last >= below) {
                throw refused("seqs below " + below);
            }
            seqs.addRange(first, last);
            end = last;
        }
        EventSeqs read = seqs.build();
        if (read.duplicate().isPresent() || read.runs() != runs) {
            throw refused("each seq once, in runs as long as can be");
        }
        return read;
    }

    <T> List<T> list(Function<CheckpointInput, T> item) {
        int length = items();
        List<T> items = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            items.add(item.apply(this));
        }
        return items;
    }

    void end() {
        if (at != bytes.length) {
            throw refused("the end");
        }
    }

    private int nextByte() {
        if (at == bytes.length) {
            throw refused("more bytes");
        }
        return bytes[at++] & 0xFF;
    }

    UnreadableCheckpointException refused(String expected) {
        return new UnreadableCheckpointException("the checkpoint is malformed: expected " + expected + " before byte "
                + at + " of " + bytes.length + "; rebuild puts a new one in its place");
    }
}
