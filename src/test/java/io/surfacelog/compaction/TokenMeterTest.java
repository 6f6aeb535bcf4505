package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.command.CommandStack;
import io.surfacelog.command.Drafts;
import io.surfacelog.command.EventDraft;
import io.surfacelog.compaction.TokenCount.Basis;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.Message;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.Usage;
import io.surfacelog.event.UserMessage;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.store.memory.MemoryEventStore;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the meter says, and how little it looks at to say it. */
class TokenMeterTest {

    private EventStore store;
    private CommandStack stack;
    private SessionId id;
    private final AtomicLong estimates = new AtomicLong();

    /** A token for each character, and a note of each block it is asked about. */
    private final TokenEstimator counting = block -> {
        estimates.incrementAndGet();
        return block instanceof TextBlock text ? text.text().length() : 50;
    };

    private TokenMeter meter;

    @BeforeEach
    void start() {
        store = MemoryEventStore.create();
        stack = CommandStack.reporting(store).start();
        id = stack.commands.create(SessionHeader.builder().build());
        meter = new TokenMeter(stack.queries, counting);
    }

    @AfterEach
    void stop() {
        stack.close();
        store.close();
    }

    private long say(int length) {
        return stack.commands
                .append(id, UserMessage.of("x".repeat(length)), SurfaceIntent.append())
                .seq();
    }

    private long answer(int length, Usage usage) {
        Message message = Message.assistant("acme", "m-1", TextBlock.of("y".repeat(length)));
        return stack.commands
                .append(id, AssistantMessage.of(1, 1, message).withUsage(usage), SurfaceIntent.append())
                .seq();
    }

    private long hide(long from, long to, int length) {
        List<Long> seqs = new ArrayList<>();
        boolean inside = false;
        for (SurfaceNode node : stack.queries.surface(id).nodes()) {
            inside |= node.seq() == from;
            if (inside) {
                seqs.add(node.seq());
            }
            inside &= node.seq() != to;
        }
        return stack.commands
                .append(
                        id,
                        UserMessage.of("z".repeat(length)),
                        SurfaceIntent.replace(from, to)
                                .citing(EventSeqs.of(
                                        seqs.stream().mapToLong(seq -> seq).toArray())))
                .seq();
    }

    private static Usage usage(long input, long read, long write, long output) {
        return new Usage(JsonObject.builder()
                .put("inputTokens", input)
                .put("outputTokens", output)
                .put("cacheReadTokens", read)
                .put("cacheWriteTokens", write)
                .build());
    }

    @Test
    void an_empty_session_costs_nothing() {
        assertThat(meter.count(id).total()).isZero();
        assertThat(meter.count(id).basis()).isEqualTo(Basis.ESTIMATE);
    }

    @Test
    void an_unknown_session_is_refused() {
        assertThatExceptionOfType(UnknownSessionException.class).isThrownBy(() -> meter.count(SessionId.of("none")));
    }

    @Test
    void before_the_first_report_everything_is_estimated_system_prompt_and_tools_included() {
        JsonObject header = JsonObject.builder()
                .put(
                        "config",
                        JsonObject.builder()
                                .put("provider", "acme")
                                .put("model", "m-1")
                                .build())
                .put("system", "s".repeat(30))
                .put("tools", JsonArray.of(List.of(JsonString.of("12345678"))))
                .build();
        stack.commands.append(id, RequestHeader.of(header, RequestHeader.INITIAL));
        say(100);

        assertThat(meter.count(id).total()).isEqualTo(30 + 10 + 100 + TokenEstimator.MESSAGE_FRAME);
        assertThat(meter.count(id).basis()).isEqualTo(Basis.ESTIMATE);
    }

    @Test
    void a_report_counts_what_was_cached_too_and_what_joined_since_is_added() {
        say(100);
        long answer = answer(40, usage(1_000, 300, 20, 7));
        assertThat(meter.count(id).total()).isEqualTo(1_327);
        say(60);

        TokenCount count = meter.count(id);

        assertThat(count.total()).isEqualTo(1_327 + 64);
        assertThat(count.basis()).isEqualTo(Basis.USAGE);
        assertThat(count.usageSeq()).hasValue(answer);
        assertThat(count.reported() + count.change()).isEqualTo(count.total());
        assertThat(count.nextSeq()).isEqualTo(3);
    }

    @Test
    void a_replace_takes_off_what_it_hides_and_adds_what_came() {
        long first = say(500);
        long second = say(300);
        answer(40, Usage.of(5_000, 50));

        hide(first, second, 20);

        assertThat(meter.count(id).total()).isEqualTo(5_050 - 504 - 304 + 24);
    }

    @Test
    void a_report_whose_answer_was_hidden_still_counts() {
        long first = say(500);
        long answer = answer(40, Usage.of(5_000, 50));
        say(10);

        hide(first, answer, 20);

        assertThat(meter.count(id).total()).isEqualTo(5_050 + 14 - 504 - 44 + 24);
        assertThat(new TokenMeter(stack.queries, counting).count(id)).isEqualTo(meter.count(id));
    }

    @Test
    void a_report_without_input_tokens_is_none() {
        say(100);
        answer(40, Usage.of(0, 12));

        assertThat(meter.count(id).basis()).isEqualTo(Basis.ESTIMATE);
        assertThat(meter.count(id).total()).isEqualTo(104 + 44);
    }

    @Test
    void where_more_has_left_than_was_reported_estimates_decide() {
        long first = say(5_000);
        answer(40, Usage.of(100, 50));

        hide(first, first, 20);

        assertThat(meter.count(id).basis()).isEqualTo(Basis.ESTIMATE);
        assertThat(meter.count(id).total()).isEqualTo(24 + 44);
    }

    @Test
    void nothing_new_is_not_estimated_again_nor_are_the_nodes_that_stay() {
        List<Long> said = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            said.add(say(10 + i));
        }
        meter.count(id);
        estimates.set(0);
        meter.count(id);
        assertThat(estimates).hasValue(0);

        say(7);
        meter.count(id);
        assertThat(estimates).hasValue(1);

        hide(said.get(2), said.get(290), 9);
        meter.count(id);
        assertThat(estimates).hasValue(2);

        long rewritten = hide(said.get(1), said.get(1), 9);
        hide(rewritten, said.get(295), 9);
        hide(said.get(297), said.get(297), 9);
        meter.count(id);
        assertThat(estimates).hasValue(4);
    }

    @Test
    void each_node_has_its_price() {
        say(10);
        say(20);
        stack.commands.append(id, AssistantMessage.of(1, 1, Message.assistant("acme", "m-1")), SurfaceIntent.append());

        PricedSurface priced = meter.priced(id);

        assertThat(priced.tokens(0)).isEqualTo(14);
        assertThat(priced.tokens(1)).isEqualTo(24);
        assertThat(priced.tokens(2)).as("derives no message").isZero();
        assertThat(priced.tokens(0, 1)).isEqualTo(38);
        assertThat(priced.tokens()).isEqualTo(priced.count().estimated());
        assertThatThrownBy(() -> priced.tokens(3)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void the_price_of_a_node_is_found_once() {
        say(10);
        SurfaceNode node = stack.queries.surface(id).nodes().get(0);

        assertThat(meter.tokens(node)).isEqualTo(14);
        assertThat(meter.tokens(node)).isEqualTo(14);

        assertThat(estimates).hasValue(1);
    }

    @Test
    void a_session_that_got_the_id_of_a_removed_one_is_priced_anew() {
        say(1_000);
        meter.count(id);
        stack.commands.delete(id);
        stack.commands.create(SessionHeader.builder().id(id).createdAt(4_711).build());
        say(5);
        say(5);

        assertThat(meter.count(id).total()).isEqualTo(18);
    }

    @Test
    void a_fork_begins_with_the_report_it_inherits() {
        say(100);
        answer(40, Usage.of(1_000, 50));
        SessionId child = stack.commands.fork(id).session();
        stack.commands.append(child, UserMessage.of("x".repeat(6)), SurfaceIntent.append());

        assertThat(meter.count(child).total()).isEqualTo(1_050 + 10);
    }

    @Test
    void an_estimator_that_fails_leaves_the_meter_as_it_was() {
        say(10);
        boolean[] broken = {false};
        TokenMeter fragile = new TokenMeter(stack.queries, block -> {
            if (broken[0]) {
                throw new IllegalStateException("no vocabulary");
            }
            return 1;
        });
        fragile.count(id);
        say(10);
        broken[0] = true;
        assertThatThrownBy(() -> fragile.count(id)).hasMessage("no vocabulary");
        broken[0] = false;

        assertThat(fragile.count(id).total()).isEqualTo(2 * (1 + TokenEstimator.MESSAGE_FRAME));
    }

    @Test
    void an_estimate_below_zero_is_refused_with_its_place() {
        say(10);
        TokenEstimator negative = new TokenEstimator() {
            @Override
            public long tokens(ContentBlock block) {
                return -9;
            }
        };

        assertThatThrownBy(() -> new TokenMeter(stack.queries, negative).count(id))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("event 0")
                .hasMessageContaining("-5");
    }

    @Test
    void looked_at_now_and_then_or_for_the_first_time_it_says_what_folding_everything_says() {
        Seeds.forEach(250, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            List<SessionEvent> log = SessionGenerator.any(seed).log(20 + random.nextInt(100));
            SessionId session = stack.commands.create(SessionHeader.builder().build());
            TokenMeter seldom = new TokenMeter(stack.queries, TokenEstimator.heuristic());
            TokenMeter often = new TokenMeter(stack.queries, TokenEstimator.heuristic());
            Surface older = Surface.empty();
            for (int length = 1; length <= log.size(); length++) {
                stack.commands.appendAll(session, List.of(Drafts.of(log.get(length - 1))));
                TokenCount expected = PlainPrices.count(log.subList(0, length), TokenEstimator.heuristic());
                assertThat(often.count(session)).as("often, after %s", length).isEqualTo(expected);
                if (random.nextInt(6) == 0) {
                    assertThat(seldom.count(session))
                            .as("seldom, after %s", length)
                            .isEqualTo(expected);
                    assertThat(new TokenMeter(stack.queries, TokenEstimator.heuristic()).count(session))
                            .as("at first sight, after %s", length)
                            .isEqualTo(expected);
                    assertThat(seldom.count(session, older))
                            .isEqualTo(PlainPrices.count(
                                    log.subList(0, Math.toIntExact(older.nextSeq())), TokenEstimator.heuristic()));
                    older = stack.queries.surface(session);
                }
                PricedSurface priced = often.priced(session);
                for (int i = 0; i < priced.surface().nodes().size(); i++) {
                    assertThat(priced.tokens(i))
                            .isEqualTo(TokenEstimator.heuristic()
                                    .tokens(priced.surface().nodes().get(i)));
                }
            }
        });
    }

    @Test
    void whoever_asks_while_others_write_gets_a_price_that_once_was_right() throws Exception {
        List<EventDraft> many = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            many.add(EventDraft.of(UserMessage.of("x".repeat(10)), SurfaceIntent.append()));
        }
        Thread writer = new Thread(() -> many.forEach(draft -> stack.commands.appendAll(id, List.of(draft))));
        writer.start();
        while (writer.isAlive()) {
            TokenCount count = meter.count(id);
            assertThat(count.total()).isEqualTo(14 * count.nextSeq());
        }
        writer.join();
        assertThat(meter.count(id).total()).isEqualTo(14 * 400);
    }
}
