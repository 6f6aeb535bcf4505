package io.surfacelog.actuate;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoreFault;
import io.surfacelog.surface.Finding;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is wrong with a store or a log, for an answer. What it quotes is content. */
final class Faults {

    private Faults() {}

    /** Something that is not as it was written. */
    record FaultView(@Nullable String session, @Nullable Long seq, String where, String detail) {}

    /** What the structure rules say of an event. */
    record FindingView(String rule, long seq, String message) {}

    static List<FaultView> faults(Collection<StoreFault> faults, Content content) {
        return faults.stream()
                .map(fault -> {
                    SessionId session = fault.session();
                    return new FaultView(
                            session == null ? null : session.value(),
                            fault.seq().isPresent() ? fault.seq().getAsLong() : null,
                            fault.where(),
                            content.of(fault.detail()));
                })
                .toList();
    }

    static List<FindingView> findings(Collection<Finding> findings, Content content) {
        return findings.stream()
                .map(finding -> new FindingView(finding.rule().code(), finding.seq(), content.of(finding.message())))
                .toList();
    }
}
