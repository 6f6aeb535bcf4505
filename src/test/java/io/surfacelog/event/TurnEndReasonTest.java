package io.surfacelog.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TurnEndReasonTest {

    private static TurnEndReason read(String json) {
        TurnEnd end = (TurnEnd) SessionEvent.of(
                        0,
                        0,
                        EventType.TURN_END,
                        JsonText.ofCompact("{\"turn\":1,\"reason\":" + json + "}"),
                        null,
                        false)
                .payload();
        return end.reason();
    }

    @Test
    void of_an_aborted_turn_says_who_stopped_it() {
        for (String by : List.of("user", "parent", "disposed")) {
            assertThat(TurnEndReason.aborted(by).abortedBy()).contains(by);
            assertThat(read("{\"kind\":\"aborted\",\"reason\":{\"kind\":\"" + by + "\"}}")
                            .abortedBy())
                    .contains(by);
        }
        assertThat(TurnEndReason.abortedByHook("no").abortedBy()).contains("hook");
        assertThat(read("{\"kind\":\"aborted\"}").abortedBy()).isEmpty();
    }

    @Test
    void of_another_turn_says_that_nobody_did() {
        assertThat(TurnEndReason.completed().abortedBy()).isEmpty();
        assertThat(read("{\"kind\":\"blocked\",\"reason\":{\"kind\":\"user\"}}").abortedBy())
                .isEmpty();
    }

    @Test
    void of_an_error_says_its_code_and_message() {
        TurnEndReason error = TurnEndReason.error("overloaded", "E529", 529);
        assertThat(error.errorCode()).contains("E529");
        assertThat(error.errorMessage()).contains("overloaded");
        assertThat(read("{\"kind\":\"error\",\"error\":{\"code\":\"E1\"}}").errorCode())
                .contains("E1");
        assertThat(read("{\"kind\":\"error\",\"error\":{\"code\":1}}").errorCode())
                .isEmpty();
        assertThat(TurnEndReason.completed().errorCode()).isEmpty();
        assertThat(TurnEndReason.aborted("user").errorMessage()).isEmpty();
    }
}
