package io.surfacelog.surface;

import io.surfacelog.event.EventTypes;

/**
 * What a plan goes by.
 *
 * @param types the declared event types
 * @param structure what is done with findings
 */
public record SurfaceRules(EventTypes types, StructureMode structure) {

    /** The types of the format; findings are reported. */
    public static SurfaceRules standard() {
        return new SurfaceRules(EventTypes.standard(), StructureMode.REPORT);
    }

    public SurfaceRules with(StructureMode mode) {
        return new SurfaceRules(types, mode);
    }

    public SurfaceRules with(EventTypes declared) {
        return new SurfaceRules(declared, structure);
    }
}
