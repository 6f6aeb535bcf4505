package io.surfacelog.provider;

import static io.surfacelog.provider.Chat.assistant;
import static io.surfacelog.provider.Chat.call;
import static io.surfacelog.provider.Chat.closer;
import static io.surfacelog.provider.Chat.lines;
import static io.surfacelog.provider.Chat.render;
import static io.surfacelog.provider.Chat.result;
import static io.surfacelog.provider.Chat.rules;
import static io.surfacelog.provider.Chat.text;
import static io.surfacelog.provider.Chat.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which result belongs to which call, and where it stands. */
class PairingTest {

    private static final Provider OPENAI = Provider.OPENAI;

    @Test
    void a_history_in_order_is_rendered_as_it_is() {
        RenderedRequest request =
                render(OPENAI, user("q"), assistant(text("wait"), call("c1")), result("c1", "r"), assistant(text("a")));

        assertThat(lines(request)).containsExactly("user: q", "assistant: wait", "tool c1: r", "assistant: a");
        assertThat(request.adjustments()).isEmpty();
        assertThat(request.toolNames()).containsExactly(java.util.Map.entry("read", "read"));
    }

    @Test
    void results_stand_directly_behind_their_call_and_in_the_order_of_the_calls() {
        RenderedRequest request = render(
                OPENAI,
                user("q"),
                assistant(call("c1"), call("c2")),
                user("hurry"),
                result("c2", "two"),
                result("c1", "one"));

        assertThat(lines(request))
                .containsExactly("user: q", "assistant: null", "tool c1: one", "tool c2: two", "user: hurry");
        assertThat(rules(request)).containsExactly("result.moved@3", "result.moved@4");
    }

    @Test
    void a_call_without_a_result_gets_an_error_that_says_so() {
        RenderedRequest request = render(OPENAI, user("q"), assistant(call("c1")), user("next"));

        assertThat(lines(request))
                .containsExactly("user: q", "assistant: null", "tool c1: " + Call.UNANSWERED, "user: next");
        assertThat(rules(request)).containsExactly("result.missing@1");
    }

    @Test
    void a_result_without_a_call_becomes_text_of_the_user() {
        RenderedRequest request = render(OPENAI, user("q"), result("c9", "late"), user("next"));

        assertThat(lines(request).get(1))
                .startsWith("user: [Result of the tool call \"c9\"")
                .endsWith("late");
        assertThat(rules(request)).containsExactly("result.orphan@1");
    }

    @Test
    void a_second_result_of_one_call_is_an_orphan() {
        RenderedRequest request =
                render(OPENAI, user("q"), assistant(call("c1")), result("c1", "first"), result("c1", "second"));

        assertThat(lines(request)).hasSize(4).contains("tool c1: first");
        assertThat(rules(request)).containsExactly("result.orphan@3");
    }

    @Test
    void an_id_that_comes_back_in_a_later_turn_is_another_call() {
        RenderedRequest request = render(
                OPENAI,
                user("q"),
                assistant(call("c1")),
                result("c1", "one"),
                user("again"),
                assistant(call("c1")),
                result("c1", "two"));

        List<String> lines = lines(request);
        assertThat(lines.get(2)).isEqualTo("tool c1: one");
        assertThat(lines.get(5)).matches("tool c1_[0-9a-f]{10}: two");
        assertThat(rules(request)).containsExactly("call.id@4");
    }

    @Test
    void an_earlier_unanswered_call_of_the_same_id_does_not_take_the_result() {
        RenderedRequest request = render(
                OPENAI, user("q"), assistant(call("c1")), user("again"), assistant(call("c1")), result("c1", "two"));

        assertThat(lines(request).get(2)).isEqualTo("tool c1: " + Call.UNANSWERED);
        assertThat(lines(request).get(5)).endsWith(": two");
    }

    @Test
    void what_recovery_wrote_closes_the_call_that_was_left_though_its_id_came_back() {
        RenderedRequest request = render(
                OPENAI,
                user("q"),
                assistant(call("c1")),
                user("again"),
                assistant(call("c1")),
                result("c1", "two"),
                closer("c1", "lost"));

        assertThat(lines(request).get(2)).isEqualTo("tool c1: lost");
        assertThat(lines(request).get(5)).endsWith(": two");
    }

    @Test
    void closers_that_follow_each_other_answer_in_the_order_of_the_calls() {
        RenderedRequest request = render(
                OPENAI,
                user("q"),
                assistant(call("c1")),
                user("again"),
                assistant(call("c1")),
                closer("c1", "older"),
                closer("c1", "newer"));

        assertThat(lines(request).get(2)).endsWith(": older");
        assertThat(lines(request).get(5)).endsWith(": newer");
    }

    @ParameterizedTest
    @EnumSource
    void an_id_that_stands_twice_in_one_message_is_two_calls(Provider provider) {
        RenderedRequest request = render(
                provider, user("q"), assistant(call("c1"), call("c1")), result("c1", "one"), result("c1", "two"));

        String body = request.body().toText();
        assertThat(body.indexOf("one")).isPositive().isLessThan(body.indexOf("two"));
        assertThat(rules(request)).containsOnlyOnce("call.id@1").doesNotContain("result.missing@1");
    }

    @ParameterizedTest
    @EnumSource
    void an_empty_id_is_minted_and_the_call_answered(Provider provider) {
        RenderedRequest request = render(provider, user("q"), assistant(call("")), user("next"));

        assertThat(request.body().toText()).contains("\"call_");
        assertThat(rules(request)).contains("call.id@1", "result.missing@1");
    }

    @Test
    void more_calls_than_one_message_may_ask_for_stand_in_several() {
        Message many = assistant(
                IntStream.range(0, 300).mapToObj(i -> call("c" + i)).toArray(io.surfacelog.event.ContentBlock[]::new));

        RenderedRequest request = render(OPENAI, user("q"), many);

        assertThat(Chat.messages(request).items().stream()
                        .filter(message -> ((JsonObject) message).has("tool_calls"))
                        .map(message -> ((JsonObject) message)
                                .array("tool_calls")
                                .map(JsonArray::size)
                                .orElseThrow()))
                .containsExactly(128, 128, 44);
    }

    @Test
    void pairing_looks_at_each_message_once_however_many_share_an_id() {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < 40_000; i++) {
            messages.add(assistant(call("c1")));
        }
        for (int i = 0; i < 40_000; i++) {
            messages.add(result("c1", "r" + i));
        }

        RenderedRequest request = OPENAI.render(Chat.header(), messages);

        assertThat(lines(request).get(2)).endsWith(": r0");
        assertThat(lines(request).get(80_000)).endsWith(": r39999");
    }
}
