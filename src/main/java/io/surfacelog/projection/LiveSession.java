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
    private boolean missed;

    /** A session that is not open yet. */
    LiveSession() {}

    LiveSession(SessionHeader header, Surface surface) {
        this.header = header;
        this.surface = surface;
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
     * Opens the session with what was read from the store, unless a commit was missed meanwhile.
     *
     * @return the surface now, null if it has to be read further
     */
    synchronized @Nullable Surface open(SessionHeader read, Surface folded) {
        if (missed) {
            missed = false;
            return null;
        }
        header = read;
        return advance(folded);
    }

    /** Moves the surface on to one read from the store, unless it is further already; returns the newer of the two. */
    synchronized Surface advance(Surface folded) {
        Surface known = surface;
        if (known == null || known.nextSeq() < folded.nextSeq()) {
            surface = folded;
            return folded;
        }
        return known;
    }

    /**
     * Applies a committed change.
     *
     * @return whether the surface now holds it, or will once opened; if not, something before it is missing
     */
    synchronized boolean apply(SurfaceChange change) {
        Surface known = surface;
        if (known == null) {
            missed = true;
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
