package io.surfacelog.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the fold of a session stood after so many events, so that opening it need not begin at the first. The store keeps
 * it and does not look into it; it can be thrown away at any time.
 *
 * @param nextSeq how many events it stands for
 * @param state what the fold has to know; not to be changed by anybody
 */
public record StoredCheckpoint(
        long nextSeq,
        @SuppressWarnings("ArrayRecordComponent") byte[] state) {

    public StoredCheckpoint {
        if (nextSeq < 0) {
            throw new IllegalArgumentException("expected a checkpoint after 0 events or more, found " + nextSeq);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredCheckpoint that && nextSeq == that.nextSeq && Arrays.equals(state, that.state);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(nextSeq) * 31 + Arrays.hashCode(state);
    }

    @Override
    public String toString() {
        return "StoredCheckpoint[nextSeq=" + nextSeq + ", " + state.length + " bytes]";
    }
}
