package io.surfacelog.projection;

import io.surfacelog.event.SessionHeader;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceChange;
import org.jspecify.annotations.Nullable;

/**
 * One session whose surface is held in memory, or being opened. The surface only ever moves forward; it is read by
 * anybody without a lock, and nobody waits for the store while holding one.
 */
final class LiveSession {

    private volatile @Nullable SessionHeader header;
    private volatile @Nullable Surface surface;
    private volatile long lastUsed;

    /** The tail after the newest change that came while the session was being opened. Guarded by this. */
    private long atLeast;

    /** A session that is not open yet. */
    LiveSession(long now) {
        this.lastUsed = now;
    }

    @Nullable
    SessionHeader header() {
        return header;
    }

    /** Null while the session is being opened. */
    @Nullable
    Surface surface() {
        return surface;
    }

    /**
     * Opens the session with what was read from the store; several threads may do so at once.
     *
     * @return the surface now, null if a commit was made meanwhile that is not in it, so that it has to be read further
     */
    synchronized @Nullable Surface open(SessionHeader read, Surface folded) {
        header = read;
        return advance(folded);
    }

    /**
     * Moves the surface on to one read from the store, unless it is further already.
     *
     * @return the newer of the two, null if it lacks a commit that was made while the session was being opened
     */
    synchronized @Nullable Surface advance(Surface folded) {
        Surface known = surface;
        if (known != null && known.nextSeq() >= folded.nextSeq()) {
            return known;
        }
        if (folded.nextSeq() < atLeast) {
            return null;
        }
        surface = folded;
        return folded;
    }

    /**
     * Applies a committed change.
     *
     * @return whether the surface now holds it, or will once opened; if not, something before it is missing
     */
    synchronized boolean apply(SurfaceChange change) {
        Surface known = surface;
        if (known == null) {
            atLeast = Math.max(atLeast, change.after().nextSeq());
            return true;
        }
        if (known.nextSeq() == change.before().nextSeq()) {
            surface = change.after();
            return true;
        }
        return known.nextSeq() >= change.after().nextSeq();
    }

    long lastUsed() {
        return lastUsed;
    }

    void used(long now) {
        if (lastUsed != now) {
            lastUsed = now;
        }
    }
}
