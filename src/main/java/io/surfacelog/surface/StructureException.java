package io.surfacelog.surface;

import io.surfacelog.event.SurfacelogException;

/** An event was refused because it would break a structure rule that is enforced; nothing was changed. */
public final class StructureException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    private final StructureRule rule;
    private final long at;
    private final String detail;

    public StructureException(Finding finding) {
        super(finding.rule().code() + " at event " + finding.seq() + ": " + finding.message());
        this.rule = finding.rule();
        this.at = finding.seq();
        this.detail = finding.message();
    }

    public StructureRule rule() {
        return rule;
    }

    /** Index of the refused event in its log. */
    public long at() {
        return at;
    }

    /** What was expected and what was found. */
    public String detail() {
        return detail;
    }
}
