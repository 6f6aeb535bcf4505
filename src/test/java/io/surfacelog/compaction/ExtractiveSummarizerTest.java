package io.surfacelog.compaction;

import static io.surfacelog.testing.LogBuilder.call;
import static io.surfacelog.testing.LogBuilder.log;
import static io.surfacelog.testing.LogBuilder.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionId;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.LogBuilder;
import org.junit.jupiter.api.Test;

class ExtractiveSummarizerTest {

    private static String summary(Surface surface, long hiddenTokens, long maxTokens) {
        SummaryRequest request = new SummaryRequest(
                SessionId.of("s"),
                surface,
                new Span(0, surface.nodes().size() - 1),
                hiddenTokens,
                maxTokens,
                1,
                () -> false,
                text -> text.length() / 4 + 1L);
        Summary summary = new ExtractiveSummarizer().summarize(request);
        assertThat(new ExtractiveSummarizer().summarize(request)).isEqualTo(summary);
        return summary.text();
    }

    private static LogBuilder talk() {
        return log().user("Where is my parcel?\nIt was sent on Monday.")
                .assistant(text("I will look.\nOne moment."), call("c1"), call("c2"))
                .toolResult("c1")
                .toolResult("c2")
                .assistant(text("It is in Lyon.\n\nIt will arrive on Thursday."));
    }

    @Test
    void each_message_is_a_line_that_cites_it() {
        assertThat(summary(talk().surface(), 4_000, 8_192).lines())
                .first()
                .isEqualTo("- [0] user: Where is my parcel?");
        assertThat(summary(talk().surface(), 4_000, 8_192))
                .contains("- [1] assistant: I will look. (called ")
                .contains("- [2] result: ")
                .contains("- [4] assistant: It is in Lyon. / It will arrive on Thursday.");
    }

    @Test
    void what_users_asked_is_left_out_last() {
        String summary = summary(talk().surface(), 4_000, 26);
        assertThat(summary).contains("user: Where is my parcel?").doesNotContain("result:");
        assertThat(summary).contains("left out.)");
    }

    @Test
    void where_there_is_hardly_any_room_something_is_said_all_the_same() {
        assertThat(summary(log().user("word ".repeat(300)).surface(), 100, 8))
                .startsWith("- [0] user: word word")
                .contains("…");
    }

    @Test
    void a_line_is_cut_between_code_points() {
        assertThat(summary(log().user("\ud83d\ude80".repeat(500)).surface(), 40_000, 8_192))
                .contains("\ud83d\ude80…")
                .doesNotContain("\ud83d…");
    }
}
