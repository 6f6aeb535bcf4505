package io.surfacelog.surface;

/** What is done with findings of the structure rules. */
public enum StructureMode {
    /** The rules are not applied. */
    OFF,
    /** Findings are kept beside the surface. */
    REPORT,
    /**
     * An event that would cause a finding is refused, in a session that holds a {@code turn/start} and has no earlier
     * finding; in other sessions findings are reported.
     */
    ENFORCE
}
