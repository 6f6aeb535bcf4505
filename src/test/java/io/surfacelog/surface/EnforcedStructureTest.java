package io.surfacelog.surface;

import static io.surfacelog.testing.LogBuilder.call;
import static io.surfacelog.testing.LogBuilder.log;
import static io.surfacelog.testing.LogBuilder.text;
import static io.surfacelog.testing.LogBuilder.userMessage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.testing.LogBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a finding refuses the event: in structured sessions that had none so far. */
class EnforcedStructureTest {

    private static SurfaceChange enforced(LogBuilder log) {
        return plan(log, StructureMode.ENFORCE);
    }

    private static SurfaceChange plan(LogBuilder log, StructureMode mode) {
        return Surface.empty()
                .plan(
                        log.events().stream().map(EventCandidate::of).toList(),
                        SurfaceRules.standard().with(mode));
    }

    private static void assertRefused(LogBuilder log, StructureRule rule, long at) {
        assertThatThrownBy(() -> enforced(log)).isInstanceOfSatisfying(StructureException.class, refusal -> {
            assertThat(refusal.rule()).isEqualTo(rule);
            assertThat(refusal.at()).isEqualTo(at);
            assertThat(refusal).hasMessageContaining(rule.code()).hasMessageContaining("event " + at);
        });
    }

    @Test
    void a_structured_session_without_findings_refuses_the_first() {
        assertRefused(log().turnStart(1).turnStart(2), StructureRule.TURN_ALREADY_OPEN, 1);
        assertRefused(log().turnStart(1).assistant(text("hi")), StructureRule.STEP_NOT_OPEN, 1);
        assertRefused(
                log().turnStart(1).stepStart(1).assistant(call("c1")).stepEnd(),
                StructureRule.CALL_UNANSWERED_AT_STEP_END,
                3);
        assertRefused(
                log().turnStart(1).stepStart(1).assistant(call("c1")).replace(2, 2, userMessage("short")),
                StructureRule.PAIR_SPLIT_BY_REPLACE,
                3);
    }

    @Test
    void what_was_refused_may_be_mended_and_tried_again() {
        LogBuilder sound = log().turnStart(1).stepStart(1).assistant(call("c1"));
        SurfacePlanner planner = sound.surface().planner(SurfaceRules.standard().with(StructureMode.ENFORCE));
        SessionEvent tooEarly = sound.stepEnd().events().get(3);
        assertThatThrownBy(() -> planner.add(EventCandidate.of(tooEarly))).isInstanceOf(StructureException.class);
        LogBuilder mended = log().turnStart(1)
                .stepStart(1)
                .assistant(call("c1"))
                .toolResult("c1")
                .stepEnd()
                .turnEnd();
        mended.events().subList(3, 6).forEach(event -> planner.add(EventCandidate.of(event)));
        assertThat(planner.change().findings()).isEmpty();
        assertThat(planner.surface().hasOpenTurn()).isFalse();
    }

    @Test
    void before_the_first_turn_findings_are_reported_and_never_enforced() {
        LogBuilder split = log().assistant(call("c1")).replace(0, 0, userMessage("short"));
        assertThat(enforced(split).findings())
                .extracting(Finding::rule)
                .containsExactly(StructureRule.PAIR_SPLIT_BY_REPLACE);
        LogBuilder stray = log().toolResult("c1");
        assertThat(enforced(stray).findings())
                .extracting(Finding::rule)
                .containsExactly(StructureRule.CALL_RESULT_WITHOUT_CALL);
    }

    @Test
    void a_session_with_earlier_findings_reports_later_ones_too() {
        LogBuilder log = log().toolResult("c1").turnStart(1).turnStart(2);
        assertThat(enforced(log).findings())
                .extracting(Finding::rule)
                .containsExactly(StructureRule.CALL_RESULT_WITHOUT_CALL, StructureRule.TURN_ALREADY_OPEN);
    }

    @Test
    void reporting_refuses_nothing_and_says_which_events_of_the_plan_broke_what() {
        LogBuilder log = log().turnStart(1).turnStart(2);
        assertThat(plan(log, StructureMode.REPORT).findings())
                .extracting(Finding::seq)
                .containsExactly(1L);
        SurfaceChange later = log.surface().plan(log.turnEnd().events().subList(2, 3));
        assertThat(later.findings()).isEmpty();
        assertThat(later.after().findings()).hasSize(1);
    }

    @Test
    void switched_off_nothing_is_found() {
        SurfaceChange change = plan(log().turnStart(1).turnStart(2).toolResult("c1"), StructureMode.OFF);
        assertThat(change.findings()).isEmpty();
        assertThat(change.after().findings()).isEmpty();
        assertThat(change.after().hasOpenTurn()).isTrue();
        assertThat(change.after().nodes()).hasSize(1);
    }

    @Test
    void the_closers_of_a_structured_session_are_never_refused() {
        LogBuilder log = log().turnStart(1)
                .stepStart(1)
                .assistant(call("c1"), call("c2"))
                .toolCall("c1");
        List<SessionEvent> closers = Closers.of(log.surface(), LogReader.of(log.events()), RecoverySettings.defaults());
        SurfaceChange change = log.surface()
                .plan(
                        closers.stream().map(EventCandidate::of).toList(),
                        SurfaceRules.standard().with(StructureMode.ENFORCE));
        assertThat(change.findings()).isEmpty();
        assertThat(change.events()).hasSize(4);
    }
}
