package io.surfacelog.cli;

import io.surfacelog.cli.AcpException.Code;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.TurnEndReason;

/** What the end of a turn is called in the protocol. */
final class AcpStop {

    /** The user has stopped it, or the agent was disposed of. */
    static final String CANCELLED = "cancelled";

    static final String END_TURN = "end_turn";

    private AcpStop() {}

    /**
     * The stop reason of a turn.
     *
     * @throws AcpException if it failed, or ended in a way the protocol has no word for
     */
    static String of(long turn, TurnEndReason reason) {
        return switch (reason.kind()) {
            case TurnEndReason.COMPLETED -> END_TURN;
            case TurnEndReason.MAX_TOKENS -> "max_tokens";
            case "step-limit" -> "max_turn_requests";
            case TurnEndReason.BLOCKED, "content-filter" -> "refusal";
            case TurnEndReason.ABORTED -> CANCELLED;
            default -> throw failed(turn, reason);
        };
    }

    private static AcpException failed(long turn, TurnEndReason reason) {
        String why = reason.errorMessage().orElse("it ended with the reason " + reason.kind());
        return new AcpException(
                Code.INTERNAL_ERROR,
                "turn " + turn + " failed: " + why,
                JsonObject.builder()
                        .put("turn", turn)
                        .put("reason", reason.json())
                        .build());
    }

    /** The result of a prompt that ended so. */
    static JsonObject result(String reason) {
        return JsonObject.builder().put("stopReason", reason).build();
    }
}
