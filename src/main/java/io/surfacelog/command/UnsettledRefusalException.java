package io.surfacelog.command;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.SurfacelogException;
import io.surfacelog.surface.StructureException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * An append was refused for what it was planned on, which is staged and may yet fail: whether it is refused is known when that
 * is settled. Never leaves this package.
 */
final class UnsettledRefusalException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Those that depend on the events before. */
    private static final Set<AdmissionRule> RULES = EnumSet.of(
            AdmissionRule.REPLACE_START_ABSENT,
            AdmissionRule.REPLACE_END_ABSENT,
            AdmissionRule.REPLACE_ORDER,
            AdmissionRule.SOURCES_NOT_EARLIER,
            AdmissionRule.SOURCES_MISSING_SHADOWED,
            AdmissionRule.REWRITE_ONE_NODE,
            AdmissionRule.REWRITE_TARGET,
            AdmissionRule.REWRITE_CONTENT_ONLY);

    private final SurfacelogException refusal;
    private final transient CompletableFuture<Void> settled;

    UnsettledRefusalException(SurfacelogException refusal, CompletableFuture<Void> settled) {
        super(refusal.getMessage(), refusal, false, false);
        this.refusal = refusal;
        this.settled = settled;
    }

    /** Whether other events before could make it another verdict. */
    static boolean mayChange(SurfacelogException refusal) {
        return refusal instanceof StructureException
                || refusal instanceof AdmissionException admission && RULES.contains(admission.rule());
    }

    SurfacelogException refusal() {
        return refusal;
    }

    /** Done when what it was planned on is settled; never fails. */
    CompletableFuture<Void> settled() {
        return settled;
    }
}
