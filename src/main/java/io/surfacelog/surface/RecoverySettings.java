package io.surfacelog.surface;

/**
 * What recovery adds beyond closing what is open.
 *
 * @param salvageStreamedText whether text that was streamed but never recorded becomes an assistant message
 * @param answerOrphanedCalls whether calls of closed steps that were never answered get an error result
 */
public record RecoverySettings(boolean salvageStreamedText, boolean answerOrphanedCalls) {

    public static RecoverySettings defaults() {
        return new RecoverySettings(true, true);
    }
}
