package io.surfacelog.store;

/** What a lease is taken for; a session has one of each, and they do not touch each other. */
public enum LeasePurpose {
    /** To run the session's turns. */
    DRIVER,
    /** To compact its surface. */
    COMPACTION
}
