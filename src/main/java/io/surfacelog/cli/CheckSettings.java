package io.surfacelog.cli;

import io.surfacelog.event.EventLimits;
import io.surfacelog.provider.Provider;
import io.surfacelog.surface.RecoverySettings;
import io.surfacelog.surface.SurfaceRules;
import org.jspecify.annotations.Nullable;

/**
 * What a check goes by.
 *
 * @param rules admission and structure
 * @param recovery what the closers hold beyond closing what is open
 * @param stampMarkers whether a log older than markers gets them
 * @param salvage whether what precedes damage is checked instead
 * @param limits how large an event may be
 * @param provider whose request the surface is rendered for, null for none
 */
record CheckSettings(
        SurfaceRules rules,
        RecoverySettings recovery,
        boolean stampMarkers,
        boolean salvage,
        EventLimits limits,
        @Nullable Provider provider) {}
