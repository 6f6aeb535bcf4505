package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.command.CommandStack;
import io.surfacelog.command.CompactionLease;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.Forked;
import io.surfacelog.compaction.CompactionOutcome.Compacted;
import io.surfacelog.compaction.CompactionOutcome.Failed;
import io.surfacelog.event.CompactionStart;
import io.surfacelog.event.EventType;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.Message;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.UserMessage;
import io.surfacelog.model.FinishReason;
import io.surfacelog.model.ModelException;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.surface.SurfaceNode;
import io.surfacelog.testing.Aside;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each bad input and each bad moment has one outcome, and the next compaction works. */
class FailedCompactionsTest extends CompactionSuite {

    private List<Message> before;

    private void expectFailed(Compactions compactions, CompactionFault fault) {
        conversation(10);
        before = List.copyOf(stack.queries.messages(id));
        CompactionOutcome outcome = compactions.compactNow(id);
        assertThat(outcome).isInstanceOf(Failed.class);
        assertThat(((Failed) outcome).fault()).isEqualTo(fault);
        expectAsBefore(fault);
    }

    private void expectAsBefore(CompactionFault fault) {
        assertThat(stack.queries.messages(id)).isEqualTo(before);
        assertThat(ends()).containsExactly(fault.code());
        assertThat(stack.queries.surface(id).openCompaction()).isEmpty();
        assertThat(compactions(new ExtractiveSummarizer()).compactNow(id)).isInstanceOf(Compacted.class);
        assertThat(ends()).containsExactly(fault.code(), "ok");
    }

    @Nested
    class BadSummaries {

        @Test
        void one_that_is_empty() {
            AtomicInteger asked = new AtomicInteger();
            expectFailed(
                    compactions(request -> {
                        asked.incrementAndGet();
                        return Summary.of(" \n", "test", "fixed");
                    }),
                    CompactionFault.SUMMARY_EMPTY);
            assertThat(asked).hasValue(2);
        }

        @Test
        void one_that_is_no_smaller_than_what_it_hides() {
            expectFailed(
                    compactions(
                            stack,
                            request -> Summary.of("x ".repeat((int) request.hiddenTokens() * 4), "test", "fixed"),
                            CompactionSettings.defaults().summaryTokens(1_000_000)),
                    CompactionFault.SUMMARY_TOO_LONG);
        }

        @Test
        void one_larger_than_a_summary_may_be() {
            expectFailed(
                    compactions(
                            stack,
                            saying("x ".repeat(400)),
                            CompactionSettings.defaults().summaryTokens(64)),
                    CompactionFault.SUMMARY_TOO_LONG);
        }

        @Test
        void one_that_fails_with_whatever_it_is() {
            expectFailed(
                    compactions(request -> {
                        throw new StackOverflowError("too clever");
                    }),
                    CompactionFault.SUMMARIZER_FAILED);
        }

        @Test
        void one_that_a_model_was_cut_off_in() {
            ScriptedModel model = ScriptedModel.of(
                    ScriptedAnswer.begin().text("The user wan").finish(FinishReason.MAX_TOKENS),
                    ScriptedAnswer.begin().text("The user").cutOff());
            expectFailed(
                    compactions(ModelSummarizer.of(model, "example", "helper-1")), CompactionFault.SUMMARY_CUT_OFF);
            assertThat(model.calls()).hasSize(2);
        }

        @Test
        void one_that_the_provider_fails_to_make() {
            ScriptedModel model = ScriptedModel.answering(call -> ScriptedAnswer.failing(
                    ModelException.of(ModelException.Kind.TRANSIENT, "OVERLOADED", "come back later")));
            expectFailed(
                    compactions(ModelSummarizer.of(model, "example", "helper-1")), CompactionFault.SUMMARIZER_FAILED);
        }

        @Test
        void one_that_takes_too_long() {
            expectFailed(
                    compactions(
                            stack,
                            request -> {
                                new CountDownLatch(1).await();
                                throw new IllegalStateException("nobody comes here");
                            },
                            CompactionSettings.defaults().timeout(Duration.ofMillis(50))),
                    CompactionFault.TIMED_OUT);
        }

        @Test
        void one_that_is_good_at_the_second_attempt_is_taken() {
            conversation(10);
            Compactions compactions =
                    compactions(request -> Summary.of(request.attempt() == 1 ? "" : "Parcels.", "test", "fixed"));
            assertThat(compactions.compactNow(id)).isInstanceOf(Compacted.class);
            assertThat(ends()).containsExactly("ok");
        }
    }

    @Nested
    class BadMoments {

        @Test
        void cancelled_while_the_summary_is_made() {
            conversation(10);
            before = List.copyOf(stack.queries.messages(id));
            AtomicBoolean cancelled = new AtomicBoolean();
            Compactions compactions = compactions(request -> {
                cancelled.set(true);
                new CountDownLatch(1).await();
                throw new IllegalStateException("nobody comes here");
            });
            Failed failed =
                    (Failed) compactions.compact(CompactionRequest.now(id).cancelledWhen(cancelled::get));
            assertThat(failed.fault()).isEqualTo(CompactionFault.CANCELLED);
            expectAsBefore(CompactionFault.CANCELLED);
        }

        @Test
        void closed_while_the_summary_is_made() throws Exception {
            conversation(10);
            before = List.copyOf(stack.queries.messages(id));
            CountDownLatch asked = new CountDownLatch(1);
            Compactions compactions = compactions(request -> {
                asked.countDown();
                new CountDownLatch(1).await();
                throw new IllegalStateException("nobody comes here");
            });
            CompletableFuture<CompactionOutcome> outcome = Aside.supply(() -> compactions.compactNow(id));
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            compactions.close();
            assertThat(((Failed) outcome.get(30, TimeUnit.SECONDS)).fault()).isEqualTo(CompactionFault.CANCELLED);
            expectAsBefore(CompactionFault.CANCELLED);
        }

        @Test
        void two_at_once_in_one_process_and_in_two() {
            conversation(10);
            CommandStack other = startAnotherProcess();
            Compactions second = compactions(stack, new ExtractiveSummarizer(), CompactionSettings.defaults());
            Compactions elsewhere = compactions(other, new ExtractiveSummarizer(), CompactionSettings.defaults());
            AtomicInteger refused = new AtomicInteger();
            Compactions first = compactions(request -> {
                for (Compactions each : List.of(second, elsewhere)) {
                    assertThatExceptionOfType(CompactionRunningException.class)
                            .isThrownBy(() -> each.compactNow(id))
                            .satisfies(e -> assertThat(e.session()).isEqualTo(id))
                            .withMessageContaining("being compacted");
                    refused.incrementAndGet();
                }
                return Summary.of("Parcels.", "test", "fixed");
            });
            assertThat(first.compactNow(id)).isInstanceOf(Compacted.class);
            assertThat(refused).hasValue(2);
            assertThat(ends()).containsExactly("ok");
        }

        @Test
        void a_bracket_that_a_dead_process_left_is_closed_first() {
            conversation(10);
            try (CompactionLease lease = stack.commands.leaseCompaction(id)) {
                lease.appendAll(List.of(EventDraft.of(CompactionStart.of("dead", null))));
            }
            assertThat(stack.queries.surface(id).openCompaction()).isPresent();
            assertThat(compactions(new ExtractiveSummarizer()).compactNow(id)).isInstanceOf(Compacted.class);
            assertThat(ends()).containsExactly("abandoned", "ok");
        }

        @Test
        void a_bracket_that_a_fork_inherits_is_closed_first() {
            conversation(10);
            AtomicBoolean once = new AtomicBoolean();
            Compactions compactions = compactions(request -> {
                if (once.compareAndSet(false, true)) {
                    Forked fork = stack.commands.fork(id);
                    Compacted compacted =
                            (Compacted) compactions(new ExtractiveSummarizer()).compactNow(fork.session());
                    assertThat(events(store(), fork.session())
                                    .get((int) compacted.seq() - 3)
                                    .type())
                            .isEqualTo(EventType.COMPACTION_END);
                }
                return Summary.of("Parcels.", "test", "fixed");
            });
            assertThat(compactions.compactNow(id)).isInstanceOf(Compacted.class);
            assertThat(once).isTrue();
        }

        @Test
        void appends_made_meanwhile_survive() {
            Conversation conversation = conversation(10);
            CommandStack other = startAnotherProcess();
            Compactions compactions = compactions(request -> {
                conversation.turn();
                other.commands.append(id, UserMessage.of("from elsewhere"), SurfaceIntent.append());
                return Summary.of("Parcels.", "test", "fixed");
            });
            assertThat(compactions.compactNow(id)).isInstanceOf(Compacted.class);
            assertThat(stack.queries.messages(id).stream().map(Message::text))
                    .contains("Where is parcel 11?", "from elsewhere");
        }

        @Test
        void a_node_of_the_span_that_is_replaced_meanwhile_makes_it_choose_anew() {
            conversation(10);
            AtomicInteger asked = new AtomicInteger();
            Compactions compactions = compactions(request -> {
                if (asked.incrementAndGet() == 1) {
                    shortenFirstResult();
                }
                return Summary.of("Parcels.", "test", "fixed");
            });
            assertThat(compactions.compactNow(id)).isInstanceOf(Compacted.class);
            assertThat(asked).hasValue(2);
            assertThat(ends()).containsExactly("ok");
        }

        @Test
        void or_fail_where_that_is_set() {
            conversation(10);
            AtomicInteger asked = new AtomicInteger();
            Compactions compactions = compactions(
                    stack,
                    request -> {
                        if (asked.incrementAndGet() == 1) {
                            shortenFirstResult();
                        }
                        return Summary.of("Parcels.", "test", "fixed");
                    },
                    CompactionSettings.defaults().whenChanged(CompactionSettings.WhenChanged.FAIL));
            assertThat(((Failed) compactions.compactNow(id)).fault()).isEqualTo(CompactionFault.SURFACE_CHANGED);
            assertThat(ends()).containsExactly("surface-changed");
        }

        @Test
        void a_lease_that_somebody_has_taken_over_ends_nothing_of_theirs() {
            CommandStack slow =
                    start(CommandStack.on(store()).lease(Duration.ofSeconds(1)).clock(new Stopped()));
            new Conversation(stack.commands, id).turns(10);
            slow.queries.refresh(id);
            AtomicInteger asked = new AtomicInteger();
            Compactions compactions = compactions(
                    slow,
                    request -> {
                        asked.incrementAndGet();
                        // to this clock the lease expired long ago
                        assertThat(compactions(new ExtractiveSummarizer()).compactNow(id))
                                .isInstanceOf(Compacted.class);
                        return Summary.of("Parcels.", "test", "fixed");
                    },
                    CompactionSettings.defaults());
            assertThat(((Failed) compactions.compactNow(id)).fault()).isEqualTo(CompactionFault.LEASE_LOST);
            stack.queries.refresh(id);
            assertThat(ends()).containsExactly("abandoned", "ok");
        }

        private void shortenFirstResult() {
            SurfaceNode result = stack.queries.surface(id).nodes().stream()
                    .filter(node -> node.event().type().equals(EventType.TOOL_RESULT))
                    .findFirst()
                    .orElseThrow();
            stack.commands.append(
                    id,
                    ((ToolResult) result.event().payload()).withContent(JsonArray.EMPTY),
                    SurfaceIntent.replace(result.seq(), result.seq()).citing(result.seq()));
        }
    }

    /** A clock that stands in the past, as that of a machine that was suspended. */
    private static final class Stopped extends java.time.Clock {

        @Override
        public java.time.Instant instant() {
            return java.time.Instant.EPOCH;
        }

        @Override
        public java.time.ZoneId getZone() {
            return java.time.ZoneOffset.UTC;
        }

        @Override
        public java.time.Clock withZone(java.time.ZoneId zone) {
            return this;
        }
    }
}
