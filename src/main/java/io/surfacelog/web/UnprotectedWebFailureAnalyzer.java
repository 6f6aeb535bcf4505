package io.surfacelog.web;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says at start-up what would be open to whom, and what to do. */
class UnprotectedWebFailureAnalyzer extends AbstractFailureAnalyzer<UnprotectedWebException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnprotectedWebException cause) {
        return new FailureAnalysis(
                "Surfacelog's API over HTTP would be open to whoever reaches " + cause.address() + ".",
                "Set surfacelog.web.token, have Spring Security stand before it, or set server.address=127.0.0.1;"
                        + " surfacelog.web.allow-unprotected=true says that it is meant.",
                cause);
    }
}
