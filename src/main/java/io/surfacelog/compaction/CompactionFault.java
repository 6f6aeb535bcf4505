package io.surfacelog.compaction;

import java.util.Locale;

/** Why a compaction failed; the surface is as it was. */
public enum CompactionFault {
    /** The summary held no text that is not blank. */
    SUMMARY_EMPTY(true),
    /** The summary was not smaller than what it was to hide, or larger than a summary may be. */
    SUMMARY_TOO_LONG(true),
    /** The summary was cut off at the limit of the model's answer. */
    SUMMARY_CUT_OFF(true),
    /** Whatever made the summary failed. */
    SUMMARIZER_FAILED(true),
    /** The summary took longer than it may. */
    TIMED_OUT(false),
    /** Whoever asked for it has cancelled it, or what compacts was closed. */
    CANCELLED(false),
    /** Others have replaced nodes of the chosen span meanwhile. */
    SURFACE_CHANGED(false),
    /** Somebody else has taken the compaction lease over. */
    LEASE_LOST(false),
    /** Its process died, or the log it began in was inherited by another session: closed by the next compaction. */
    ABANDONED(false),
    /** The log refused the summary, or could not be written. */
    NOT_WRITTEN(false);

    private final boolean retried;

    CompactionFault(boolean retried) {
        this.retried = retried;
    }

    /** Whether another summary may do better, so that it is tried again as often as the settings say. */
    public boolean isRetried() {
        return retried;
    }

    /** The code in the log, as {@code summary-empty}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
