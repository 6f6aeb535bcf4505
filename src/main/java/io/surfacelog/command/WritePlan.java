package io.surfacelog.command;

import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceChange;

/** How a write is planned, again whenever the tail has moved. Guarded by the lane's monitor. */
interface WritePlan {

    /** Plans the write on this surface; whatever it throws refuses the write. */
    SurfaceChange on(Surface base);

    /** The write is not carried out: what it was planned as will not be. */
    default void discard() {}
}
