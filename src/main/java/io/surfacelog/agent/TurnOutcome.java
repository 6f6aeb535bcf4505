package io.surfacelog.agent;

import io.surfacelog.event.TurnEndReason;

/**
 * How a turn ended; committed.
 *
 * @param turn its number
 * @param reason why it ended
 * @param startSeq seq of its {@code turn/start}
 * @param endSeq seq of its {@code turn/end}
 */
public record TurnOutcome(long turn, TurnEndReason reason, long startSeq, long endSeq) {}
