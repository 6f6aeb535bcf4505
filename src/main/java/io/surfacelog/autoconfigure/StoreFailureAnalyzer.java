package io.surfacelog.autoconfigure;

import io.surfacelog.store.ForeignStoreException;
import io.surfacelog.store.StoreException;
import io.surfacelog.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says at start-up why the store cannot be used, and what to do. */
class StoreFailureAnalyzer extends AbstractFailureAnalyzer<StoreException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, StoreException cause) {
        if (cause instanceof ForeignStoreException foreign) {
            return new FailureAnalysis(
                    "The database " + foreign.location() + " is not one this version of Surfacelog can use.\n\n"
                            + "Expected: " + foreign.expected() + "\nFound:    " + foreign.found()
                            + "\n\nNothing was changed.",
                    foreign.action() + " Another database is named with surfacelog.sqlite.path.",
                    cause);
        }
        if (cause instanceof StoreUnavailableException) {
            return new FailureAnalysis(
                    "The store of Surfacelog cannot be opened: " + cause.getMessage(),
                    "Make the path usable, or name another one with surfacelog.sqlite.path.",
                    cause);
        }
        return null;
    }
}
