package io.surfacelog.projection;

import io.surfacelog.surface.Surface;

/**
 * A surface, and what it took to fold it.
 *
 * @param surface the surface
 * @param behind how many events behind the newest checkpoint the next opening would have to fold
 * @param origin what the fold began with
 */
record Folded(Surface surface, long behind, Origin origin) {

    /** What a fold began with. */
    enum Origin {
        /** The first event: there was no checkpoint. */
        LOG,
        /** A checkpoint. */
        CHECKPOINT,
        /** The first event, since the checkpoint that there was could not be used. */
        LOG_FOR_WANT_OF_A_GOOD_CHECKPOINT
    }

    /** The same fold, carried on. */
    Folded then(Folded onward) {
        return new Folded(onward.surface, behind + onward.behind, origin);
    }
}
