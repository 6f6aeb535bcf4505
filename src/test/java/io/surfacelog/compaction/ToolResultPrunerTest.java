package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.command.AppendEvents;
import io.surfacelog.command.CommandInterceptor;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.CompactionLease;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.SessionCommand;
import io.surfacelog.command.StoreSuite;
import io.surfacelog.compaction.PrunePlan.Left;
import io.surfacelog.compaction.PrunePlan.Pruned;
import io.surfacelog.compaction.PrunePlan.Reason;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.CompactionPrune;
import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.EventType;
import io.surfacelog.event.ImageBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.UserMessage;
import io.surfacelog.surface.SurfaceNode;
import io.surfacelog.testing.Aside;
import io.surfacelog.testing.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Long results keep head and tail, in one more event each; all else stays as it is. */
class ToolResultPrunerTest extends StoreSuite {

    private static final PruneSettings SMALL =
            PruneSettings.defaults().chars(1_024, 200, 100).keepNewest(0).worth(0, 0);

    private CommandStack stack;
    private SessionId id;
    private long turn;

    @BeforeEach
    void startStack() {
        stack = start();
        id = stack.commands.create(header("talk"));
    }

    private ToolResultPruner pruner(PruneSettings settings) {
        return ToolResultPruner.of(stack.commands, stack.queries, settings);
    }

    /** A turn with one call and its result; gives the seq of the result. */
    private long turn(String tool, ContentBlock... content) {
        return turn(tool, true, content);
    }

    private long turn(String tool, boolean answered, ContentBlock... content) {
        turn++;
        ToolCallBlock call = ToolCallBlock.of("call", tool, "{}");
        List<EventDraft> drafts = new ArrayList<>(List.of(
                EventDraft.of(TurnStart.of(turn)),
                EventDraft.of(UserMessage.of("look"), SurfaceIntent.append()),
                EventDraft.of(StepStart.of(turn, 1)),
                EventDraft.of(
                        AssistantMessage.of(turn, 1, Message.assistant("example", "helper-1", call)),
                        SurfaceIntent.append()),
                EventDraft.of(
                        ToolResult.of(turn, 1, ToolResultBlock.of("call", List.of(content), false)),
                        SurfaceIntent.append())));
        if (answered) {
            drafts.addAll(List.of(
                    EventDraft.of(StepEnd.of(turn, 1)),
                    EventDraft.of(StepStart.of(turn, 2)),
                    EventDraft.of(
                            AssistantMessage.of(
                                    turn, 2, Message.assistant("example", "helper-1", TextBlock.of("I see."))),
                            SurfaceIntent.append()),
                    EventDraft.of(StepEnd.of(turn, 2)),
                    EventDraft.of(TurnEnd.of(turn, TurnEndReason.completed()))));
        }
        return stack.commands.appendAll(id, drafts).seq() + 4 - drafts.size() + 1;
    }

    private static TextBlock text(int length) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append("line ").append(text.length()).append('\n');
        }
        return TextBlock.of(text.substring(0, length));
    }

    private List<ContentBlock> seen() {
        List<ContentBlock> blocks = new ArrayList<>();
        for (Message message : stack.queries.messages(id)) {
            for (ContentBlock block : message.content()) {
                if (block instanceof ToolResultBlock result) {
                    blocks.addAll(result.content());
                }
            }
        }
        return blocks;
    }

    private List<String> seenTexts() {
        return seen().stream()
                .filter(TextBlock.class::isInstance)
                .map(block -> ((TextBlock) block).text())
                .toList();
    }

    @Test
    void a_long_result_keeps_head_and_tail_and_says_how_to_read_the_rest() throws Exception {
        TextBlock whole = text(5_000);
        long seq = turn("look", whole);

        PrunePlan plan = pruner(SMALL).prune(id);

        assertThat(plan.pruned()).extracting(Pruned::seq).containsExactly(seq);
        assertThat(plan.pruned().get(0).tool()).contains("look");
        assertThat(plan.pruned().get(0).chars()).isEqualTo(4_700);
        assertThat(plan.firstInvalidated()).hasValue(2);
        assertThat(plan.reclaimed()).isBetween(1_000L, 1_600L);
        String shown = seenTexts().get(0);
        assertThat(shown)
                .startsWith(whole.text().substring(0, 200) + "\n\n[4,700 characters")
                .endsWith("]\n\n" + whole.text().substring(4_900));
        Matcher marker = Pattern.compile("\"seq\": (\\d+), \"from\": (\\d+)").matcher(shown);
        assertThat(marker.find()).isTrue();
        RecalledText rest = Recall.of(stack.queries)
                .read(id, Long.parseLong(marker.group(1)), Integer.parseInt(marker.group(2)), 4_700);
        assertThat(rest.text()).isEqualTo(whole.text().substring(200, 4_900));
    }

    @Test
    void it_is_written_as_the_format_says() {
        long seq = turn("look", text(5_000));
        long next = stack.queries.nextSeq(id);

        pruner(SMALL).prune(id);

        List<SessionEvent> written = stack.queries.events(id, next, Long.MAX_VALUE);
        assertThat(written)
                .extracting(SessionEvent::type)
                .containsExactly(EventType.COMPACTION_PRUNE, EventType.TOOL_RESULT);
        SurfaceIntent intent = written.get(1).intent().orElseThrow();
        assertThat(intent).isEqualTo(SurfaceIntent.replace(seq, seq).citing(seq, next));
        assertThat(stack.queries.surface(id).findings()).isEmpty();
    }

    @Test
    void a_second_pass_changes_nothing() {
        Seeds.forEach(20, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < 3; i++) {
                List<ContentBlock> blocks = new ArrayList<>();
                for (int b = random.nextInt(1, 6); b > 0; b--) {
                    blocks.add(
                            random.nextInt(3) == 0
                                    ? ContentBlock.of(JsonObject.builder()
                                            .put("type", "image")
                                            .put("attachment", "a" + b)
                                            .build())
                                    : text(random.nextInt(0, 3_000)));
                }
                turn("look", blocks.toArray(ContentBlock[]::new));
            }
            List<ContentBlock> before = seen();
            List<String> images = before.stream()
                    .filter(block -> !(block instanceof TextBlock))
                    .map(block -> block.json().toText())
                    .toList();
            pruner(SMALL).prune(id);
            long next = stack.queries.nextSeq(id);

            assertThat(pruner(SMALL).prune(id).isEmpty()).isTrue();

            assertThat(stack.queries.nextSeq(id)).isEqualTo(next);
            assertThat(seen().stream()
                            .filter(block -> !(block instanceof TextBlock))
                            .map(block -> block.json().toText()))
                    .isEqualTo(images);
            assertThat(stack.queries.surface(id).findings()).isEmpty();
        });
    }

    @Test
    void what_is_no_text_stays_in_place_and_the_cut_may_span_blocks() {
        ContentBlock image = ContentBlock.of(JsonObject.builder()
                .put("type", "image")
                .put("attachment", "photo")
                .build());
        turn("look", text(150), image, text(800), text(700), image, text(60));

        pruner(SMALL).prune(id);

        List<ContentBlock> shown = seen();
        assertThat(shown).hasSize(6);
        assertThat(((TextBlock) shown.get(0)).text()).isEqualTo(text(150).text());
        assertThat(shown.get(1)).isEqualTo(image).isInstanceOf(ImageBlock.class);
        assertThat(((TextBlock) shown.get(2)).text()).startsWith(text(50).text() + "\n\n[1,410 characters");
        assertThat(((TextBlock) shown.get(3)).text()).isEqualTo(text(700).text().substring(660));
        assertThat(shown.get(4)).isEqualTo(image);
        assertThat(((TextBlock) shown.get(5)).text()).isEqualTo(text(60).text());
    }

    @Test
    void no_character_is_split_whatever_it_is_made_of() {
        String family = "👩‍👩‍👧‍👦";
        String accented = "e\u0301";
        for (int shift = 0; shift < 12; shift++) {
            turn("look", TextBlock.of("x".repeat(shift) + (family + accented).repeat(300)));
        }

        pruner(SMALL).prune(id);

        Pattern whole = Pattern.compile("x*(" + family + accented + ")*(" + family + ")?");
        Pattern rest = Pattern.compile("(" + accented + ")?(" + family + accented + ")*");
        assertThat(seenTexts()).hasSize(12).allSatisfy(shown -> {
            String[] parts = shown.split("\n\n\\[.*]\n\n");
            assertThat(parts).hasSize(2);
            assertThat(parts[0]).matches(whole);
            assertThat(parts[1]).matches(rest);
        });
    }

    @Test
    void no_flag_is_split_in_a_row_of_flags_of_any_length() {
        String flag = "🇨🇭";
        for (int shift = 0; shift < 4; shift++) {
            turn("look", TextBlock.of("x".repeat(shift) + flag.repeat(700) + "x".repeat(shift)));
        }

        pruner(SMALL).prune(id);

        Pattern whole = Pattern.compile("x*(" + flag + ")+");
        Pattern rest = Pattern.compile("(" + flag + ")+x*");
        assertThat(seenTexts()).hasSize(4).allSatisfy(shown -> {
            String[] parts = shown.split("\n\n\\[.*]\n\n");
            assertThat(parts).hasSize(2);
            assertThat(parts[0]).matches(whole);
            assertThat(parts[1]).matches(rest);
        });
    }

    @Test
    void what_is_no_block_stays_in_place_too() {
        JsonArray odd = JsonArray.of(
                List.of(JsonString.of("bare"), text(2_000).json(), Json.of(17), JsonArray.EMPTY, text(30).json()));
        long seq = turn("look", TextBlock.of("short"));
        ToolResult result = (ToolResult) stack.queries.event(id, seq).payload();
        stack.commands.append(
                id, result.withContent(odd), SurfaceIntent.replace(seq, seq).citing(seq));

        assertThat(pruner(SMALL).prune(id).pruned()).hasSize(1);

        List<Json> items = stack.queries.surface(id).nodes().stream()
                .map(node -> node.event().payload())
                .filter(ToolResult.class::isInstance)
                .flatMap(payload ->
                        ((ToolResult) payload).block().json().array("content").orElseThrow().items().stream())
                .toList();
        assertThat(items).hasSize(5);
        assertThat(items.get(0)).isEqualTo(odd.get(0));
        assertThat(((JsonObject) items.get(1)).string("text").orElseThrow()).contains("left out here");
        assertThat(items.subList(2, 5)).isEqualTo(odd.items().subList(2, 5));

        // and what it says is found and read at its place
        Recall recall = Recall.of(stack.queries);
        long hidden = seq + 6;
        assertThat(recall.search(id, RecallQuery.of("bare")).passages())
                .extracting(RecallPassage::seq)
                .containsExactly(hidden);
        String shown = ((JsonObject) items.get(1)).string("text").orElseThrow();
        Matcher marker = Pattern.compile("\"from\": (\\d+)").matcher(shown);
        assertThat(marker.find()).isTrue();
        assertThat(recall.read(id, hidden, Integer.parseInt(marker.group(1)), 1_500)
                        .text())
                .startsWith(text(2_000).text().substring(200, 1_000));
    }

    @Test
    void a_result_at_the_threshold_stays_and_one_above_it_does_not() {
        turn("look", text(1_024));
        long longer = turn("look", text(1_025));

        assertThat(pruner(SMALL).plan(stack.queries.surface(id)).pruned())
                .extracting(Pruned::seq)
                .containsExactly(longer);
    }

    @Test
    void the_newest_the_protected_and_the_unanswered_are_left_alone() {
        long first = turn("look", text(5_000));
        long kept = turn("policy", text(5_000));
        long newest = turn("look", text(5_000));
        long unseen = turn("look", false, text(5_000));

        PrunePlan plan = pruner(SMALL.keepNewest(2).protect("policy")).prune(id);

        assertThat(plan.pruned()).extracting(Pruned::seq).containsExactly(first);
        assertThat(plan.left())
                .containsExactly(
                        new Left(kept, Reason.PROTECTED),
                        new Left(newest, Reason.NEWEST),
                        new Left(unseen, Reason.UNSEEN));
    }

    @Test
    void nothing_is_done_that_is_not_worth_it() {
        long early = turn("look", text(2_000));
        for (int i = 0; i < 30; i++) {
            turn("look", text(1_000));
        }
        assertThat(pruner(SMALL.worth(10_000, 0)).prune(id).left())
                .containsExactly(new Left(early, Reason.NOT_WORTH_IT));

        long late = turn("look", text(20_000));
        PrunePlan plan = pruner(SMALL.worth(1_000, 0.5)).prune(id);

        assertThat(plan.pruned()).extracting(Pruned::seq).contains(late);
        assertThat(plan.invalidated()).isLessThan(2 * plan.reclaimed() + 1);
    }

    @Test
    void a_running_compaction_is_not_disturbed() {
        turn("look", text(5_000));
        try (CompactionLease lease = stack.commands.leaseCompaction(id)) {
            assertThat(lease.isHeld()).isTrue();
            assertThatThrownBy(() -> pruner(SMALL).prune(id)).isInstanceOf(CompactionRunningException.class);
        }
        assertThat(pruner(SMALL).prune(id).isEmpty()).isFalse();
    }

    @Test
    void what_others_append_and_correct_meanwhile_is_neither_lost_nor_overwritten() throws Exception {
        int turns = 60;
        String corrected = "corrected\n" + text(1_500).text();
        List<Long> corrections = new ArrayList<>();
        CompletableFuture<Void> others = Aside.run(() -> {
            for (int i = 0; i < turns; i++) {
                long seq = turn("look", text(2_000));
                ToolResult result = (ToolResult) stack.queries.event(id, seq).payload();
                JsonArray content = JsonArray.of(List.of(TextBlock.of(corrected).json()));
                try {
                    stack.commands.append(
                            id,
                            result.withContent(content),
                            SurfaceIntent.replace(seq, seq).citing(seq));
                    corrections.add(seq);
                } catch (AdmissionException pruned) {
                    assertThat(pruned.rule()).isEqualTo(AdmissionRule.REPLACE_START_ABSENT);
                }
            }
        });
        do {
            pruner(SMALL).prune(id);
        } while (!others.isDone());
        others.get();
        pruner(SMALL).prune(id);

        assertThat(seenTexts())
                .hasSize(turns)
                .allSatisfy(shown -> assertThat(shown).contains("left out here"));
        assertThat(seenTexts().stream().filter(shown -> shown.startsWith("corrected")))
                .hasSameSizeAs(corrections);
        assertThat(stack.queries.surface(id).findings()).isEmpty();
        List<SessionEvent> log = stored(id);
        for (SessionEvent event : log) {
            if (event.payload() instanceof CompactionPrune prune) {
                SessionEvent rewrite = log.get(Math.toIntExact(event.seq() + 1));
                long pruned = prune.shadowed().start();
                assertThat(rewrite.intent())
                        .contains(SurfaceIntent.replace(pruned, pruned).citing(pruned, event.seq()));
            }
        }
    }

    @Test
    void what_is_shortened_twice_says_how_to_read_the_whole_one() {
        TextBlock whole = text(9_000);
        long seq = turn("look", whole);
        turn("look", text(10));

        for (PruneSettings settings : List.of(SMALL.chars(5_000, 2_000, 1_000), SMALL.chars(2_000, 900, 300), SMALL)) {
            assertThat(pruner(settings).prune(id).pruned())
                    .hasSize(1)
                    .allSatisfy(one -> assertThat(one.whole()).isEqualTo(seq));
        }

        String shown = seenTexts().get(0);
        Matcher marker = Pattern.compile("\\[([0-9,]+) characters.*\"seq\": (\\d+), \"from\": (\\d+)}\\.]\n\n")
                .matcher(shown);
        assertThat(marker.find()).isTrue();
        assertThat(Long.parseLong(marker.group(2))).isEqualTo(seq);
        RecalledText rest = Recall.of(stack.queries)
                .read(
                        id,
                        seq,
                        Integer.parseInt(marker.group(3)),
                        Integer.parseInt(marker.group(1).replace(",", "")));
        assertThat(shown.substring(0, marker.start() - 2) + rest.text() + shown.substring(marker.end()))
                .isEqualTo(whole.text());
        assertThat(marker.find()).isFalse();
    }

    @Test
    void listeners_are_told_of_what_was_shortened_and_of_nothing_else() {
        List<PrunePlan> told = new ArrayList<>();
        CompactionListener listener = new CompactionListener() {
            @Override
            public void ended(
                    SessionId session, CompactionRequest.Cause cause, CompactionOutcome outcome, Duration took) {}

            @Override
            public void pruned(SessionId session, PrunePlan done) {
                told.add(done);
                throw new IllegalStateException("a listener that fails");
            }
        };
        TokenMeter meter = new TokenMeter(stack.queries, TokenEstimator.heuristic());
        ToolResultPruner pruner = ToolResultPruner.of(stack.commands, stack.queries, meter, SMALL, List.of(listener));
        turn("look", text(5_000));

        PrunePlan done = pruner.prune(id);
        pruner.prune(id);

        assertThat(told).containsExactly(done);
        assertThat(done.isEmpty()).isFalse();
    }

    @Test
    void a_result_that_only_says_what_a_marker_says_is_named_itself() {
        String says = new PruneMarker(3_000, 0, 0).text();
        long seq = turn(
                "look", TextBlock.of(text(2_000).text() + says + text(2_000).text()));

        pruner(SMALL).prune(id);

        assertThat(seenTexts().get(0)).contains("{\"seq\": " + seq + ", \"from\": 200}");
    }

    @Test
    void a_plan_that_is_overtaken_again_and_again_is_given_up_without_a_fault() {
        Overtaking overtaking = new Overtaking();
        CommandStack overtaken = start(CommandStack.on(store()).interceptor(overtaking));
        overtaking.stack = overtaken;
        turn("look", text(2_000));

        PrunePlan plan = ToolResultPruner.of(overtaken.commands, overtaken.queries, SMALL)
                .prune(id);

        assertThat(plan.isEmpty()).isTrue();
        // the one that stood when it was planned for the last time
        long planned =
                overtaken.queries.replacements(id).get(overtaking.times - 1).start();
        assertThat(plan.left()).containsExactly(new PrunePlan.Left(planned, PrunePlan.Reason.OVERTAKEN));
        stack.queries.refresh(id);
        assertThat(seenTexts()).hasSize(1).allSatisfy(shown -> assertThat(shown).startsWith("corrected"));
        assertThat(stored(id)).extracting(SessionEvent::type).doesNotContain(EventType.COMPACTION_PRUNE);
    }

    /** Corrects every result on the surface just before a pruning is let in. */
    private static final class Overtaking implements CommandInterceptor {

        private CommandStack stack;
        private int times;

        @Override
        public <R> CompletableFuture<R> intercept(SessionCommand<R> command, Chain chain) {
            if (command instanceof AppendEvents append && append.leaseToken().isPresent()) {
                times++;
                for (SurfaceNode node : stack.queries.surface(command.session()).nodes()) {
                    if (node.event().payload() instanceof ToolResult result) {
                        JsonArray content = JsonArray.of(List.of(
                                TextBlock.of("corrected" + text(2_000).text()).json()));
                        stack.commands.append(
                                command.session(),
                                result.withContent(content),
                                SurfaceIntent.replace(node.seq(), node.seq()).citing(node.seq()));
                    }
                }
            }
            return chain.proceed(command);
        }
    }

    @Test
    void settings_that_cannot_be_kept_are_refused() {
        PruneSettings settings = PruneSettings.defaults();
        assertThatThrownBy(() -> settings.chars(1_000, 10, 10)).hasMessageContaining("1,024");
        assertThatThrownBy(() -> settings.chars(2_000, 1_000, 489)).hasMessageContaining("512 below");
        assertThat(settings.chars(2_000, 1_000, 488).tailChars()).isEqualTo(488);
        assertThatThrownBy(() -> settings.keepNewest(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> settings.worth(0, Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }
}
