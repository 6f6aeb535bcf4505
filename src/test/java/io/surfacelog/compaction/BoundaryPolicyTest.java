package io.surfacelog.compaction;

import static io.surfacelog.testing.LogBuilder.call;
import static io.surfacelog.testing.LogBuilder.log;
import static io.surfacelog.testing.LogBuilder.text;
import static io.surfacelog.testing.LogBuilder.userMessage;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.ContextMessage;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.LogBuilder;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BoundaryPolicyTest {

    private static BoundaryPolicy unpinned(LogBuilder log) {
        return BoundaryPolicy.of(log.surface(), PinnedNodes.none());
    }

    private static List<BoundaryFault.Rule> faults(Boundary boundary) {
        return boundary instanceof Boundary.Unsafe unsafe
                ? unsafe.faults().stream().map(BoundaryFault::rule).distinct().toList()
                : List.of();
    }

    /** Nodes 2 to 6: user, calls c1 and c2, their results, user. */
    private static LogBuilder parallel() {
        return log().turnStart(1)
                .stepStart(1)
                .user("hi")
                .assistant(call("c1"), call("c2"))
                .toolResult("c1")
                .toolResult("c2")
                .user("more");
    }

    @Nested
    class Pairs {

        @Test
        void parallel_calls_are_hidden_with_all_their_results_or_not_at_all() {
            BoundaryPolicy policy = unpinned(parallel());
            assertThat(faults(policy.checked(2, 3))).containsExactly(BoundaryFault.Rule.SPLIT_PAIR);
            assertThat(faults(policy.checked(2, 4))).containsExactly(BoundaryFault.Rule.SPLIT_PAIR);
            assertThat(faults(policy.checked(5, 6))).containsExactly(BoundaryFault.Rule.SPLIT_PAIR);
            assertThat(policy.checked(3, 5)).isEqualTo(new Boundary.Safe(new Span(1, 3)));
            assertThat(policy.widened(4, 6)).isEqualTo(new Boundary.Safe(new Span(1, 4)));
            assertThat(policy.widened(2, 3)).isEqualTo(new Boundary.Safe(new Span(0, 3)));
        }

        @Test
        void a_tail_that_begins_within_a_group_keeps_the_whole_group() {
            assertThat(unpinned(parallel()).spans(0, 3)).containsExactly(new Span(0, 0));
        }

        @Test
        void an_id_that_comes_back_in_a_later_step_is_another_call() {
            LogBuilder log = log().assistant(call("c1"))
                    .toolResult("c1")
                    .at(1, 2)
                    .assistant(call("c1"))
                    .toolResult("c1");
            assertThat(unpinned(log).checked(0, 1)).isInstanceOf(Boundary.Safe.class);
            assertThat(faults(unpinned(log).checked(1, 2))).containsExactly(BoundaryFault.Rule.SPLIT_PAIR);
        }

        @Test
        void a_giant_turn_is_cut_between_its_closed_steps() {
            LogBuilder log = log().turnStart(1).stepStart(1).user("do it all");
            for (int step = 1; step <= 5; step++) {
                log.assistant(call("c" + step)).toolResult("c" + step).stepEnd().stepStart(step + 1);
            }
            Surface surface = log.surface();
            BoundaryPolicy policy = BoundaryPolicy.of(surface, PinnedNodes.standard());
            assertThat(policy.spans(0, 8)).containsExactly(new Span(1, 6));
        }
    }

    @Nested
    class WhatStays {

        @Test
        void a_call_that_is_running() {
            LogBuilder log = log().turnStart(1)
                    .stepStart(1)
                    .user("hi")
                    .assistant(text("wait"), call("c1"), call("c2"))
                    .toolResult("c1");
            assertThat(faults(unpinned(log).checked(2, 4))).containsExactly(BoundaryFault.Rule.RUNNING_CALL);
            assertThat(unpinned(log).spans(0, 3)).containsExactly(new Span(0, 0));
            assertThat(unpinned(log).orphans()).isEmpty();
        }

        @Test
        void an_orphaned_call_and_nothing_beside_it() {
            LogBuilder log = log().turnStart(1)
                    .stepStart(1)
                    .user("hi")
                    .assistant(call("lost"))
                    .stepEnd()
                    .turnEnd()
                    .user("go on");
            BoundaryPolicy policy = unpinned(log);
            assertThat(policy.orphans()).containsExactly(new Orphan(Orphan.Kind.UNANSWERED_CALL, 3, "lost"));
            assertThat(faults(policy.checked(2, 3))).containsExactly(BoundaryFault.Rule.ORPHANED_CALL);
            assertThat(policy.spans(0, 3)).containsExactly(new Span(0, 0), new Span(2, 2));
        }

        @Test
        void an_orphaned_result_does_not_stay() {
            LogBuilder log = log().user("hi")
                    .assistant(call("c1"))
                    .toolResult("c1")
                    .replace(1, 1, userMessage("short"))
                    .user("go on");
            assertThat(unpinned(log).orphans()).containsExactly(new Orphan(Orphan.Kind.RESULT_WITHOUT_CALL, 2, "c1"));
            assertThat(unpinned(log).checked(0, 4)).isInstanceOf(Boundary.Safe.class);
        }

        @Test
        void the_newest_of_each_notice() {
            LogBuilder log = log().append(notice("agents.md", "old"))
                    .user("hi")
                    .append(notice("agents.md", "new"))
                    .append(notice("readme.md", "text"))
                    .append(ContextMessage.of(Message.user(MessageSource.ofKind("app"), TextBlock.of("it rains"))))
                    .user("go on");
            assertThat(BoundaryPolicy.of(log.surface(), PinnedNodes.standard()).spans(0, 6))
                    .containsExactly(new Span(0, 1), new Span(5, 5));
        }

        @Test
        void the_running_task_while_its_turn_is_open_and_not_after() {
            LogBuilder log = log().user("before").turnStart(1).stepStart(1).user("the task");
            assertThat(BoundaryPolicy.of(log.surface(), PinnedNodes.standard()).staying())
                    .satisfies(staying -> assertThat(staying.stream().toArray()).containsExactly(1));
            log.stepEnd().turnEnd();
            assertThat(BoundaryPolicy.of(log.surface(), PinnedNodes.standard())
                            .staying()
                            .isEmpty())
                    .isTrue();
        }

        @Test
        void the_newest_todo_list_with_its_result() {
            LogBuilder log = log().user("hi")
                    .assistant(ToolCallBlock.of("t1", "todo_write", "{}"))
                    .toolResult("t1")
                    .assistant(ToolCallBlock.of("t2", "todo_write", "{}"))
                    .toolResult("t2")
                    .user("go on");
            assertThat(BoundaryPolicy.of(log.surface(), PinnedNodes.standard()).spans(0, 6))
                    .containsExactly(new Span(0, 2), new Span(5, 5));
        }

        private ContextMessage notice(String name, String text) {
            MessageSource source = new MessageSource(JsonObject.builder()
                    .put("kind", "workspace")
                    .put("form", "file")
                    .put("name", name)
                    .build());
            return ContextMessage.of(Message.user(source, TextBlock.of(text)));
        }
    }

    @Nested
    class BadRanges {

        @Test
        void a_node_that_is_shadowed_or_no_node_at_all() {
            LogBuilder log = log().user("a").user("b").user("c").replace(0, 1, userMessage("ab"));
            assertThat(faults(unpinned(log).checked(1, 2))).containsExactly(BoundaryFault.Rule.NOT_ON_SURFACE);
            assertThat(faults(unpinned(log).widened(3, 99))).containsExactly(BoundaryFault.Rule.NOT_ON_SURFACE);
            assertThat(unpinned(log).checked(3, 2)).isEqualTo(new Boundary.Safe(new Span(0, 1)));
        }

        @Test
        void an_end_before_the_start() {
            LogBuilder log = log().user("a").user("b");
            assertThat(faults(unpinned(log).checked(1, 0))).containsExactly(BoundaryFault.Rule.ORDER);
        }
    }
}
