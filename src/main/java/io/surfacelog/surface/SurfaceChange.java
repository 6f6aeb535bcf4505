package io.surfacelog.surface;

import io.surfacelog.event.SessionEvent;
import java.util.List;

/**
 * What admitted events would make of a surface. Nothing has happened yet: the surface it was planned on is unchanged,
 * and further plans may be made on {@link #after()} before this one is committed.
 *
 * @param before the surface it was planned on
 * @param events the admitted events, in order
 * @param after the surface with the events applied
 * @param findings what the structure rules say of the events
 */
public record SurfaceChange(Surface before, List<SessionEvent> events, Surface after, List<Finding> findings) {}
