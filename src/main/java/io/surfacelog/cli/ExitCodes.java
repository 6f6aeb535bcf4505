package io.surfacelog.cli;

/** What the commands that use the store end with, as their help says it. */
final class ExitCodes {

    static final String HEADING = "Exit codes:%n";
    static final String DONE = "0:done";
    static final String FAILED = "1:refused, not sound or failed; standard error says why";
    static final String USAGE = "2:wrong usage";

    private ExitCodes() {}
}
