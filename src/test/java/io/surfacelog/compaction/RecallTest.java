package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.command.CommandStack;
import io.surfacelog.command.ForkSession;
import io.surfacelog.command.ImportSession;
import io.surfacelog.command.StoreSuite;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.UserMessage;
import io.surfacelog.model.Tool;
import io.surfacelog.model.ToolInvocation;
import io.surfacelog.model.ToolOutput;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.surface.Replacement;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was hidden is found again, in the log itself. */
class RecallTest extends StoreSuite {

    private CommandStack stack;
    private SessionId id;

    @BeforeEach
    void startStack() {
        stack = start();
        id = stack.commands.create(header("talk"));
    }

    private Recall recall() {
        return Recall.of(stack.queries);
    }

    private long say(String text) {
        return stack.commands
                .append(id, UserMessage.of(text), SurfaceIntent.append())
                .seq();
    }

    private long hide(long start, long end, long... cited) {
        return stack.commands
                .append(
                        id,
                        UserMessage.of("in short"),
                        SurfaceIntent.replace(start, end).citing(cited))
                .seq();
    }

    private List<Long> seqs(String text) {
        return recall().search(id, RecallQuery.of(text)).passages().stream()
                .map(RecallPassage::seq)
                .toList();
    }

    @Test
    void what_is_hidden_is_found_and_what_is_seen_is_not() {
        long first = say("my order is A-1047");
        long second = say("and A-1048");
        long third = say("not A-1049");
        assertThat(seqs("A-10")).isEmpty();

        long summary = hide(first, second, first, second);

        assertThat(seqs("A-10")).containsExactly(second, first);
        assertThat(recall().search(id, RecallQuery.of("A-1047")).passages())
                .containsExactly(new RecallPassage(
                        first, "user/message", OptionalLong.empty(), summary, 0, "my order is A-1047", 18));
        hide(summary, third, summary, third);
        assertThat(seqs("A-10")).containsExactly(third, second, first);
    }

    @Test
    void what_hid_it_and_was_hidden_in_turn_is_not_named() {
        long first = say("needle");
        long second = say("hay");
        long inner = hide(first, first, first);
        long outer = hide(inner, second, inner, second);

        assertThat(recall().search(id, RecallQuery.of("needle")).passages())
                .extracting(RecallPassage::hiddenBy)
                .containsExactly(outer);
    }

    @Test
    void letter_case_does_not_matter_in_any_script() {
        long first = say("Die Straße in ΑΘΗΝΑ, İstanbul, МОСКВА, 北京的包裹 und 🚚Ende");
        hide(first, first, first);

        for (String text :
                List.of("STRASSE", "strasse", "straße", "αθηνα", "москва", "京的包", "🚚ende", "ISTANBUL".substring(1))) {
            assertThat(seqs(text)).as(text).containsExactly(first);
        }
        assertThat(seqs("京包")).isEmpty();
    }

    @Test
    void numerals_and_letters_in_circles_have_a_case_too() {
        long first = say("Kapitel Ⅷ, Posten Ⓐ");
        hide(first, first, first);

        assertThat(seqs("kapitel ⅷ, posten ⓐ")).containsExactly(first);
    }

    @Test
    void a_letter_that_is_two_without_its_case_is_given_whole() {
        long first = say("Straßen");
        hide(first, first, first);

        assertThat(recall().search(id, RecallQuery.of("STRAS").context(0)).passages())
                .extracting(RecallPassage::text)
                .containsExactly("Straß");
        assertThat(recall().search(id, RecallQuery.of("sen").context(0)).passages())
                .extracting(RecallPassage::text)
                .containsExactly("ßen");
    }

    @Test
    void a_passage_has_its_context_in_whole_characters() {
        long first = say("🚚".repeat(50) + "needle" + "🚚".repeat(50));
        hide(first, first, first);

        RecallPassage passage = recall().search(id, RecallQuery.of("NEEDLE").context(3))
                .passages()
                .get(0);

        assertThat(passage.text()).isEqualTo("🚚🚚🚚needle🚚🚚🚚");
        assertThat(passage.offset()).isEqualTo(47);
        assertThat(passage.length()).isEqualTo(106);
        assertThat(passage.isCut()).isTrue();
        assertThat(recall().read(id, first, 47, 12).text()).isEqualTo(passage.text());
    }

    @Test
    void a_search_goes_on_where_it_stopped_and_meets_every_hidden_event_once() {
        List<Long> said = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            said.add(say("needle " + i));
        }
        hide(said.get(0), said.get(24), said.stream().mapToLong(Long::longValue).toArray());
        List<Long> met = new ArrayList<>();

        RecallQuery query = RecallQuery.of("needle").passages(7);
        RecallFindings found = recall().search(id, query);
        found.passages().forEach(passage -> met.add(0, passage.seq()));
        while (found.next().isPresent()) {
            found = recall().search(id, query.before(found.next().getAsLong()));
            found.passages().forEach(passage -> met.add(0, passage.seq()));
        }

        assertThat(met).isEqualTo(said);
    }

    @Test
    void exactly_what_replaces_have_hidden_is_searched_whatever_the_log() {
        Seeds.forEach(40, seed -> {
            SessionId session = SessionId.of("log " + seed);
            stack.commands.importLog(new ImportSession(
                    header("log " + seed),
                    candidates(SessionGenerator.any(seed).log()).iterator(),
                    EventTypes.standard()));
            Set<Long> hidden = new HashSet<>();
            for (Replacement replacement : stack.queries.replacements(session)) {
                for (long seq : replacement.shadowed().toArray()) {
                    hidden.add(seq);
                }
            }
            Set<Long> shown = new HashSet<>();
            for (long seq : stack.queries.surface(session).nodeSeqs()) {
                shown.add(seq);
            }
            for (String text : List.of("a", "e", "the", "0")) {
                recall().search(session, RecallQuery.of(text).passages(100))
                        .passages()
                        .forEach(passage -> {
                            assertThat(hidden).contains(passage.seq());
                            assertThat(shown).contains(passage.hiddenBy()).doesNotContain(passage.seq());
                            assertThat(FoldedText.fold(passage.text())).contains(text);
                        });
            }
        });
    }

    @Test
    void a_fork_finds_what_it_has_inherited() {
        long first = say("needle");
        long second = say("hay");
        hide(first, second, first, second);
        SessionId child = stack.commands.fork(ForkSession.of(id)).header().id();

        assertThat(recall().search(child, RecallQuery.of("needle")).passages())
                .extracting(RecallPassage::seq)
                .containsExactly(first);
    }

    @Test
    void compacted_turns_are_found_with_their_turn_and_their_calls() {
        new Conversation(stack.commands, id).turns(12);
        try (Compactions compactions = Compactions.of(
                stack.commands, stack.queries, new ExtractiveSummarizer(), CompactionSettings.defaults())) {
            compactions.compact(CompactionRequest.now(id));
        }

        RecallFindings found = recall().search(id, RecallQuery.of("find_order({\"order\":3})"));

        assertThat(found.passages()).hasSize(1);
        assertThat(found.passages().get(0).turn()).hasValue(3);
    }

    @Test
    void what_cannot_be_asked_is_refused_with_what_is_expected() {
        long first = say("hello");

        assertThatThrownBy(() -> RecallQuery.of(" ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RecallQuery.of("a").passages(0)).hasMessageContaining("1 to 100");
        assertThatThrownBy(() -> recall().read(id, first + 1, 0, 10)).hasMessageContaining("does not hold");
        assertThatThrownBy(() -> recall().read(id, -1, 0, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> recall().search(SessionId.of("nobody"), RecallQuery.of("a")))
                .isInstanceOf(UnknownSessionException.class);
        assertThat(recall().read(id, first, 99, 10).text()).isEmpty();
    }

    private ToolOutput call(JsonObject arguments) throws Exception {
        Tool tool = RecallTool.of(recall());
        return tool.run(new ToolInvocation(id, 1, 1, "c", arguments));
    }

    private static String text(ToolOutput output) {
        return ((TextBlock) output.content().get(0)).text();
    }

    @Test
    void the_tool_searches_and_reads_on() throws Exception {
        long first = say("x".repeat(7_000) + "needle" + "y".repeat(100));
        hide(first, first, first);

        ToolOutput found = call(JsonObject.builder().put("query", "Needle").build());
        assertThat(text(found))
                .startsWith("seq " + first + ", user/message:\n…")
                .contains("needle");

        ToolOutput begin = call(JsonObject.builder().put("seq", first).build());
        assertThat(text(begin)).startsWith("xxx").endsWith("go on with from 6000]");
        ToolOutput rest =
                call(JsonObject.builder().put("seq", first).put("from", 6_000).build());
        assertThat(text(rest)).isEqualTo("x".repeat(1_000) + "needle" + "y".repeat(100));
    }

    @Test
    void the_tool_tells_the_model_what_it_expects() throws Exception {
        say("hello");

        assertThat(call(JsonObject.EMPTY).isError()).isTrue();
        assertThat(call(JsonObject.builder().put("seq", 77).build()).isError()).isTrue();
        assertThat(call(JsonObject.builder().put("seq", 0).put("from", -1).build())
                        .isError())
                .isTrue();
        assertThat(text(call(JsonObject.builder().put("query", "hello").build())))
                .contains("Nothing that was hidden");
    }
}
