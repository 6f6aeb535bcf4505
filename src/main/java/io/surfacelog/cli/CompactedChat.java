package io.surfacelog.cli;

import io.surfacelog.agent.Agent;
import io.surfacelog.compaction.CompactionOutcome;
import io.surfacelog.compaction.CompactionOutcome.Compacted;
import io.surfacelog.compaction.CompactionOutcome.Failed;
import io.surfacelog.compaction.CompactionOutcome.NothingToCompact;
import io.surfacelog.compaction.CompactionRequest;
import io.surfacelog.compaction.CompactionRunningException;
import io.surfacelog.compaction.Compactions;

/** Compacts the session of a chat, and says what became of it. */
final class CompactedChat implements ChatCompaction {

    private final Compactions compactions;

    CompactedChat(Compactions compactions) {
        this.compactions = compactions;
    }

    @Override
    public String compact(Agent agent) {
        try {
            CompactionOutcome outcome =
                    compactions.compact(CompactionRequest.now(agent.id()).cancelledWhen(agent::isDisposed));
            return outcome instanceof Compacted compacted
                    ? sentence(outcome) + " /explain " + compacted.seq() + " shows what it hides."
                    : sentence(outcome);
        } catch (CompactionRunningException e) {
            return "It is being compacted already, by " + e.holder() + ".";
        }
    }

    /** What became of it. */
    static String sentence(CompactionOutcome outcome) {
        if (outcome instanceof Compacted compacted) {
            return Preview.count(compacted.hidden().size(), "message") + " made room for the summary of event "
                    + compacted.seq() + ": about " + compacted.tokensBefore() + " tokens before, "
                    + compacted.tokensAfter() + " now.";
        }
        if (outcome instanceof NothingToCompact) {
            return "There is nothing worth a summary yet: the surface stays as it is.";
        }
        return outcome instanceof Failed failed
                ? "It was not compacted, and the surface is as it was: " + failed.message() + "."
                : "The surface stays as it is.";
    }
}
