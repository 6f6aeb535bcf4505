package io.surfacelog.surface;

import io.surfacelog.event.EventSeqs;
import java.io.ByteArrayOutputStream;

/** Writes the parts of a checkpoint: numbers of variable length, texts unit for unit, seqs as runs. */
final class CheckpointOutput {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** A number from 0, seven bits a byte, the lowest first. */
    CheckpointOutput count(long number) {
        long left = number;
        while ((left & ~0x7FL) != 0) {
            out.write((int) (left & 0x7F | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
        return this;
    }

    /** Any number; small ones of either sign are short. */
    CheckpointOutput number(long number) {
        return count(number << 1 ^ number >> 63);
    }

    /** A seq, or -1 for none. */
    CheckpointOutput seqOrNone(long seq) {
        return count(seq + 1);
    }

    CheckpointOutput flag(boolean flag) {
        out.write(flag ? 1 : 0);
        return this;
    }

    /** Whatever its units are: ids may hold half a surrogate pair. */
    CheckpointOutput text(String text) {
        count(text.length());
        text.chars().forEach(this::count);
        return this;
    }

    CheckpointOutput seqs(EventSeqs seqs) {
        count(seqs.runs());
        long[] end = {0};
        seqs.forEachRun((first, last) -> {
            number(first - end[0]).count(last - first);
            end[0] = last;
        });
        return this;
    }

    byte[] bytes() {
        return out.toByteArray();
    }
}
