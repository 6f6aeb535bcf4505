package io.surfacelog.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.support.ui.Select;

/** Whatever a session holds is a text: it neither runs, nor fetches, nor hides, nor breaks out of its line. */
class HostilePageTest {

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    @TempDir
    private static Path directory;

    private static Inspected service;
    private static SessionId hostile;

    private final InspectorPage inspector = new InspectorPage(CHROMIUM.page());
    private final Page page = inspector.page();

    @BeforeAll
    static void serve() {
        service = Inspected.in(directory);
        hostile = Logs.hostile(service);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    /** Elements that only markup of a session could have made. */
    private void assertNoMarkup() {
        assertThat(page.all(By.cssSelector("#app script, #app style, #app iframe, #app img, #app link, #app base,"
                        + " #app object, #app embed, #app form[action], #app a[href^='javascript:'], #app a[href^='data:'],"
                        + " #app [onload], #app [onerror], #app [onclick]")))
                .isEmpty();
        assertThat(page.scrollsSideways()).isFalse();
    }

    @Test
    void nothing_in_a_session_is_ever_more_than_a_text() {
        inspector.list(service);
        page.await("the list", () -> page.shows("session-row"));
        assertThat(page.text("session-row")).contains("<script>window.pwned='id'</script>");
        assertNoMarkup();
        page.screenshot("list");
        page.narrow();
        assertNoMarkup();
        page.screenshot("list-narrow").wide();
        page.one("session-row").click();
        inspector.awaitKnown();
        assertThat(page.text("session-title")).contains("<script>window.pwned='id'</script>");
        assertNoMarkup();
        page.screenshot("session");
        page.narrow();
        assertNoMarkup();
        page.screenshot("session-narrow").wide();

        long events = service.queries().nextSeq(hostile);
        boolean within = false;
        // of those that differ in their text only the first two; all kinds of events
        for (long seq = 0; seq < events; seq = seq == 4 ? seqOf("request/header") - 5 : seq + 1) {
            boolean chunk = service.queries().event(hostile, seq).type().equals("assistant/chunk");
            // a run of chunks is shown as one
            if (chunk && within) {
                continue;
            }
            within = chunk;
            go("?sel=" + seq);
            inspector.awaitDetail(seq);
            page.await("its payload", () -> page.text("payload").length() > 1);
        }
        // every kind of payload is read as it was written, as far as a line shows it
        go("?seq=3&sel=2");
        inspector.awaitDetail(2);
        assertThat(page.text("payload")).contains("<script>window.pwned='script'</script>");
        assertNoMarkup();
        inspector.assertSound();
    }

    @Test
    void long_and_strange_payloads_are_cut_with_their_size_and_can_be_seen_whole() {
        inspector.open(service, "/s/" + segment() + "?sel=" + seqOf("request/header"));
        inspector.awaitDetail(seqOf("request/header"));
        int cut = page.text("payload").length();
        assertThat(page.text("payload-more")).containsPattern("[0-9.]+ [KM]? ?characters");
        page.screenshot("cut");
        page.one("payload-more").click();
        page.await("more", () -> page.text("payload").length() > cut);
        assertNoMarkup();

        long step = seqOf("assistant/message");
        go("?sel=" + step);
        inspector.awaitDetail(step);
        page.one("show-request").click();
        List<String> shapes = new ArrayList<>(List.of("openai", "anthropic", "deepseek"));
        for (String shape : shapes) {
            new Select(page.one("request-shape")).selectByValue(shape);
            page.await(
                    "the request as " + shape,
                    () -> "ready".equals(page.one("request").getDomAttribute("data-state"))
                            && shape.equals(page.one("request").getDomAttribute("data-shape")));
            assertNoMarkup();
        }
        page.screenshot("request");
        inspector.assertSound();
    }

    private void go(String parameters) {
        page.script("location.hash = arguments[0]", "/s/" + segment() + parameters);
    }

    private static String segment() {
        StringBuilder all = new StringBuilder();
        hostile.value().chars().forEach(unit -> all.append(String.format("~%04x", unit)));
        return all.toString();
    }

    private static long seqOf(String type) {
        return service.queries().events(hostile, 0, service.queries().nextSeq(hostile)).stream()
                .filter(event -> event.type().equals(type))
                .findFirst()
                .orElseThrow()
                .seq();
    }
}
