package io.surfacelog.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceOp;
import io.surfacelog.surface.Finding;
import io.surfacelog.surface.StructureRule;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The generator is only worth something if it reaches what it promises. */
class SessionGeneratorTest {

    @Test
    void a_seed_gives_the_same_log_again() {
        Seeds.forEach(
                50,
                seed -> assertThat(SessionGenerator.any(seed).log())
                        .isEqualTo(SessionGenerator.any(seed).log()));
    }

    @Test
    void structured_logs_have_no_findings() {
        Seeds.forEach(
                500,
                seed -> assertThat(fold(SessionGenerator.structured(seed).log()).findings())
                        .isEmpty());
    }

    @Test
    void wild_logs_reach_every_structure_rule() {
        Set<StructureRule> reached = EnumSet.noneOf(StructureRule.class);
        for (long seed = 0; seed < 300; seed++) {
            fold(SessionGenerator.wild(seed).log()).findings().stream()
                    .map(Finding::rule)
                    .forEach(reached::add);
        }
        assertThat(reached).containsExactlyInAnyOrder(StructureRule.values());
    }

    @Test
    void logs_reach_every_kind_of_event_and_replace() {
        Map<String, Integer> seen = new TreeMap<>();
        for (long seed = 0; seed < 300; seed++) {
            Surface before = Surface.empty();
            for (SessionEvent event : SessionGenerator.any(seed).log()) {
                seen.merge(standardOrScope(event.type()), 1, Integer::sum);
                if (event.isSurface()) {
                    count(event, before, seen);
                }
                before = before.plan(List.of(event)).after();
            }
            seen.merge(before.hasOpenTurn() ? "open tail" : "closed tail", 1, Integer::sum);
        }
        assertThat(seen.keySet())
                .contains(
                        EventType.TURN_START,
                        EventType.TURN_END,
                        EventType.STEP_START,
                        EventType.STEP_END,
                        EventType.USER_MESSAGE,
                        EventType.CONTEXT_MESSAGE,
                        EventType.STEERING_MESSAGE,
                        EventType.ASSISTANT_CHUNK,
                        EventType.ASSISTANT_MESSAGE,
                        EventType.TOOL_CALL,
                        EventType.TOOL_RESULT,
                        EventType.TODO_WRITE,
                        EventType.REQUEST_HEADER,
                        EventType.REQUEST_CONTEXT,
                        EventType.SESSION_END_SEED,
                        EventType.COMPACTION_START,
                        EventType.COMPACTION_SUMMARY,
                        EventType.COMPACTION_PRUNE,
                        EventType.COMPACTION_END,
                        EventType.LLM_RETRY,
                        "hook",
                        "x",
                        "rewrite",
                        "assistant replace",
                        "user replace",
                        "nested replace",
                        "whole surface",
                        "single node",
                        "disordered range",
                        "no sources",
                        "empty sources",
                        "cited chunks",
                        "open tail",
                        "closed tail");
        assertThat(seen.values()).allMatch(times -> times >= 3);
    }

    private static void count(SessionEvent event, Surface before, Map<String, Integer> seen) {
        if (!(event.intent().orElseThrow().op() instanceof SurfaceOp.Replace replace)) {
            boolean cites = event.intent().flatMap(intent -> intent.sources()).isPresent();
            boolean any = !event.intent().orElseThrow().sourcesOrNone().isEmpty();
            seen.merge(any ? "cited chunks" : cites ? "empty sources" : "no sources", 1, Integer::sum);
            return;
        }
        List<Long> nodes = before.nodes().stream().map(node -> node.seq()).toList();
        List<Long> hidden = nodes.subList(nodes.indexOf(replace.start()), nodes.indexOf(replace.end()) + 1);
        String kind = switch (event.type()) {
            case EventType.TOOL_RESULT -> "rewrite";
            case EventType.ASSISTANT_MESSAGE -> "assistant replace";
            default -> "user replace";
        };
        seen.merge(kind, 1, Integer::sum);
        if (hidden.size() == nodes.size()) {
            seen.merge("whole surface", 1, Integer::sum);
        }
        if (hidden.size() == 1) {
            seen.merge("single node", 1, Integer::sum);
        }
        if (!hidden.stream().sorted().toList().equals(hidden)) {
            seen.merge("disordered range", 1, Integer::sum);
        }
        boolean nested = hidden.stream()
                .anyMatch(seq -> !before.node(seq)
                        .orElseThrow()
                        .event()
                        .intent()
                        .orElseThrow()
                        .isAppend());
        if (nested) {
            seen.merge("nested replace", 1, Integer::sum);
        }
    }

    @Test
    void every_broken_event_is_refused_by_its_rule_and_every_rule_of_events_is_reached() {
        Set<AdmissionRule> reached = EnumSet.noneOf(AdmissionRule.class);
        Seeds.forEach(20, seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log(60);
            Set<String> kinds = new HashSet<>();
            for (int at = 0; at < log.size(); at++) {
                SessionEvent event = log.get(at);
                boolean replaces =
                        event.intent().filter(intent -> !intent.isAppend()).isPresent();
                if (!kinds.add(standardOrScope(event.type()) + replaces)) {
                    continue; // one event of a kind breaks like another
                }
                SurfacePlanner planner = fold(log.subList(0, at)).planner(SurfaceRules.standard());
                for (BrokenEvent broken : new LogMutator(seed).breakAll(log, at)) {
                    assertThat(refusal(planner, broken)).as("%s", broken).isEqualTo(broken.rule());
                    reached.add(broken.rule());
                }
            }
        });
        Set<AdmissionRule> expected = EnumSet.range(AdmissionRule.JSON_SYNTAX, AdmissionRule.REWRITE_CONTENT_ONLY);
        expected.remove(AdmissionRule.LIMIT_EVENT_BYTES);
        assertThat(reached).isEqualTo(expected);
    }

    private static AdmissionRule refusal(SurfacePlanner planner, BrokenEvent broken) {
        AdmissionException refused = catchThrowableOfType(
                AdmissionException.class,
                () -> planner.add(EventCandidate.read(broken.text(), EventLimits.defaults())));
        return refused == null ? null : refused.rule();
    }

    private static Surface fold(List<SessionEvent> log) {
        return Surface.empty().plan(log).after();
    }

    /** Application types are counted by their scope, since their names are random. */
    private static String standardOrScope(String type) {
        return type.startsWith("hook/") || type.startsWith("x/") ? type.substring(0, type.indexOf('/')) : type;
    }
}
