package io.surfacelog.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.EventLimits;
import io.surfacelog.event.SessionId;
import io.surfacelog.surface.Replacement;
import io.surfacelog.transfer.JsonlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.Select;

/** One session that nothing happens to any more: what the model sees, what it saw, and why. */
class SessionPageTest {

    /** The last event of turn 3 and the result that was shortened then, of the bundled session. */
    private static final long LONG_RESULT = 146;

    private static final long SHORTENED = 175;
    private static final long SUMMARY = 180;

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    @TempDir
    private static Path directory;

    private static Inspected service;
    private static SessionId parcel;

    private final InspectorPage inspector = new InspectorPage(CHROMIUM.page());
    private final Page page = inspector.page();

    @BeforeAll
    static void serve() {
        service = Inspected.in(directory);
        parcel = Logs.parcel(service);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static List<Long> surface(long asOf) {
        return LongStream.of(service.queries().surfaceAsOf(parcel, asOf).nodeSeqs())
                .boxed()
                .toList();
    }

    private void awaitSurface(long asOf) {
        inspector.awaitAsOf(asOf);
        List<Long> expected = surface(asOf);
        page.await(
                "the surface as of " + asOf + ", " + expected,
                () -> inspector.nodes().equals(expected));
    }

    @Test
    void log_and_surface_stand_side_by_side_and_say_the_same() {
        inspector.session(service, parcel, "");
        long last = service.queries().nextSeq(parcel) - 1;
        page.await("the end of the log", () -> inspector.rows().contains(last));
        page.await("the whole surface", () -> inspector.nodes().equals(surface(last)));
        assertThat(page.text("session-title")).contains("parcel");
        assertThat(page.text("session-summary"))
                .contains("278 events", surface(last).size() + " nodes", "turn 6");
        for (long seq : surface(last)) {
            String type = service.queries().event(parcel, seq).type();
            String role = InspectorPage.attribute(page.one(inspector.node(seq)), "data-role");
            assertThat(role)
                    .isEqualTo(
                            type.startsWith("assistant")
                                    ? "assistant"
                                    : type.startsWith("tool")
                                            ? "tool"
                                            : type.startsWith("steering") ? "steering" : "user");
        }
        assertThat(page.all(inspector.line("event", last))).isEmpty();
        // the newest node is joined to its event by a line
        long newest = surface(last).get(surface(last).size() - 1);
        page.await("a line from " + newest, () -> page.shows(inspector.line("event", newest)));
        page.screenshot("wide-dark");
        page.light().await("light", () -> page.holds("document.documentElement.dataset.theme === 'light'"));
        page.screenshot("wide-light");
        page.one("theme-toggle").click();
        page.await("dark", () -> page.holds("document.documentElement.dataset.theme === 'dark'"));
        inspector.assertSound();
    }

    @Test
    void a_run_of_chunks_is_one_row_until_it_is_opened() {
        inspector.session(service, parcel, "?seq=30&sel=30");
        inspector.awaitDetail(30);
        WebElement run = page.one(By.cssSelector("[data-testid=log-row][data-folded=true][data-last=\"29\"]"));
        long first = Long.parseLong(InspectorPage.attribute(run, "data-seq"));
        assertThat(first).isEqualTo(7);
        assertThat(run.getText()).contains("7–29", "×23");
        assertThat(inspector.rows()).doesNotContain(8L);
        run.findElement(Page.by("fold")).click();
        page.await("its chunks", () -> inspector.rows().containsAll(List.of(8L, 9L)));
        page.screenshot("open");
        page.one(By.cssSelector("[data-testid=log-row][data-folded=false] [data-testid=fold]"))
                .click();
        page.await("folded again", () -> !inspector.rows().contains(8L));
        page.one(By.cssSelector("[data-testid=log-row][data-folded=true][data-last=\"29\"]"))
                .click();
        page.await("what was streamed", () -> page.shows("streamed"));
        assertThat(page.text("streamed")).contains("I will look that up for you.");
        inspector.assertSound();
    }

    @Test
    void the_slider_shows_what_the_model_saw_by_keyboard_and_by_mouse() {
        inspector.session(service, parcel, "?seq=200");
        awaitSurface(200);
        page.press(Keys.ARROW_LEFT);
        awaitSurface(199);
        page.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT);
        awaitSurface(201);
        page.press("[");
        awaitSurface(SUMMARY);
        page.press("[");
        awaitSurface(SHORTENED);
        assertThat(page.one(inspector.node(SHORTENED)).isDisplayed()).isTrue();
        page.press(Keys.ARROW_LEFT);
        awaitSurface(SHORTENED - 1);
        assertThat(inspector.nodes()).contains(LONG_RESULT);
        page.press("]");
        awaitSurface(SHORTENED);
        page.pressShift(Keys.ARROW_RIGHT);
        awaitSurface(176);
        page.pressShift(Keys.ARROW_LEFT);
        awaitSurface(123);
        // what is still to come is there, and greyed
        page.await("what comes", () -> page.shows(By.cssSelector("[data-testid=log-row][data-state=future]")));
        assertThat(page.text("as-of")).contains("123");
        page.screenshot("past-wide");

        WebElement slider = page.one("slider");
        assertThat(InspectorPage.attribute(slider, "max")).isEqualTo("277");
        int width = slider.getSize().getWidth();
        new Actions(page.driver()).moveToElement(slider, -width / 4, 0).click().perform();
        page.await("about a quarter of the log", () -> {
            String moment = inspector.session("data-as-of");
            return !moment.equals("live") && Math.abs(Long.parseLong(moment) - 69) < 8;
        });
        long clicked = Long.parseLong(inspector.session("data-as-of"));
        awaitSurface(clicked);
        new Actions(page.driver())
                .moveToElement(slider, -width / 4, 0)
                .clickAndHold()
                .moveByOffset(width / 2, 0)
                .release()
                .perform();
        page.await("about three quarters", () -> Math.abs(Long.parseLong(inspector.session("data-as-of")) - 208) < 8);
        awaitSurface(Long.parseLong(inspector.session("data-as-of")));

        page.one("live").click();
        inspector.awaitAsOf("live");
        assertThat(InspectorPage.attribute(page.one("live"), "aria-pressed")).isEqualTo("true");
        inspector.assertSound();
    }

    @Test
    void the_surface_is_right_at_every_moment() {
        inspector.session(service, parcel, "?seq=0");
        inspector.awaitAsOf(0);
        for (long seq = 1; seq < service.queries().nextSeq(parcel); seq += 19) {
            page.script(
                    "const slider = document.querySelector('[data-testid=slider]'); slider.value = arguments[0];"
                            + " slider.dispatchEvent(new Event('input', {bubbles: true}))",
                    seq);
            awaitSurface(seq);
        }
        inspector.assertSound();
    }

    @Test
    void a_replacement_shows_in_place_what_it_hides() {
        inspector.session(service, parcel, "?seq=" + SUMMARY);
        awaitSurface(SUMMARY);
        Replacement summary = service.queries().replacements(parcel).stream()
                .filter(one -> one.seq() == SUMMARY)
                .findFirst()
                .orElseThrow();
        List<Long> hidden = Arrays.stream(summary.shadowed().toArray()).boxed().toList();
        assertThat(InspectorPage.attribute(page.one(inspector.node(SUMMARY)), "data-replaces"))
                .isEqualTo(hidden.get(0) + "…" + hidden.get(hidden.size() - 1));
        page.hover(page.one(inspector.node(SUMMARY)));
        page.await("what it hides", () -> !page.all("hidden-node").isEmpty());
        page.screenshot("hovered");
        page.hover(page.one("session-title"));
        page.await("hidden again", () -> page.all("hidden-node").isEmpty());

        page.one(inspector.node(SUMMARY)).findElement(Page.by("peek")).click();
        page.hover(page.one("session-title"));
        page.await(
                "all of it",
                () -> page.all("hidden-node").stream()
                        .map(node -> Long.parseLong(InspectorPage.attribute(node, "data-seq")))
                        .toList()
                        .equals(hidden));
        page.await("a line from what was shortened", () -> page.shows(inspector.line("hidden", SHORTENED)));
        page.screenshot("opened");
        inspector.assertSound();
    }

    @Test
    void an_event_shows_its_payload_and_leads_to_where_it_comes_from_and_what_became_of_it() {
        inspector.session(service, parcel, "?seq=200&sel=" + LONG_RESULT);
        inspector.awaitDetail(LONG_RESULT);
        assertThat(page.text("payload")).contains("\"callId\": \"call-5\"");
        page.one(inspector.provenance("replaced-by", SHORTENED)).click();
        inspector.awaitDetail(SHORTENED);
        page.await("where it comes from", () -> page.shows(inspector.provenance("replaces", LONG_RESULT)));
        page.screenshot("replacement-wide");
        page.one(inspector.provenance("cites", LONG_RESULT)).click();
        inspector.awaitDetail(LONG_RESULT);
        page.await("it is in sight", () -> page.shows(inspector.row(LONG_RESULT)));
        page.await(
                "it is greyed",
                () -> "shadowed".equals(InspectorPage.attribute(page.one(inspector.row(LONG_RESULT)), "data-state")));
        page.driver().navigate().refresh();
        inspector.awaitKnown();
        inspector.awaitDetail(LONG_RESULT);
        inspector.awaitAsOf(200);
        page.press(Keys.ESCAPE);
        page.await("nothing is selected", () -> page.one("detail").getDomAttribute("data-seq") == null);
        inspector.assertSound();
    }

    @Test
    void what_is_selected_stands_in_the_address_as_soon_as_it_is_seen() {
        inspector.session(service, parcel, "?seq=200");
        String select = """
                const seq = arguments[0];
                document.querySelector(`[data-testid=log-row][data-seq="${seq}"]`).click();
                return new Promise(resolve => {
                    const look = () => document.querySelector('[data-testid=detail]').dataset.seq === String(seq)
                        ? resolve(location.hash)
                        : requestAnimationFrame(look);
                    look();
                });
                """;
        for (long seq : inspector.rows().subList(0, 5)) {
            assertThat(page.script(select, seq)).asString().endsWith("sel=" + seq);
        }
    }

    @Test
    void the_request_of_a_step_is_shown_in_each_shape_and_copied() {
        inspector.session(service, parcel, "?sel=58");
        inspector.awaitDetail(58);
        page.one("show-request").click();
        page.await("the request", () -> "ready".equals(page.one("request").getDomAttribute("data-state")));
        assertThat(page.text("request-text")).contains("\"role\": \"user\"");
        for (String shape : List.of("openai", "anthropic", "deepseek", "neutral")) {
            new Select(page.one("request-shape")).selectByValue(shape);
            page.await(
                    "the request as " + shape,
                    () -> shape.equals(page.one("request").getDomAttribute("data-shape"))
                            && "ready".equals(page.one("request").getDomAttribute("data-state")));
            assertThat(page.text("request-text").contains("tool_use")).as(shape).isEqualTo(shape.equals("anthropic"));
        }
        new Select(page.one("request-shape")).selectByValue("openai");
        page.await("the request as openai", () -> page.text("request-text").contains("tool_calls"));
        page.screenshot("openai-wide");
        // the clipboard of a browser without a window is nobody's
        page.script("Object.defineProperty(navigator, 'clipboard', {value: {writeText: text => {"
                + " window.copied = text; return Promise.resolve(); }}})");
        page.one("request-copy").click();
        page.await("it is copied", () -> page.holds("window.copied !== undefined"));
        assertThat(String.valueOf(page.script("return JSON.parse(window.copied).messages.length")))
                .isEqualTo("6");
        page.reload();
        inspector.awaitKnown();
        page.await(
                "it survives a reload",
                () -> "openai".equals(page.one("request").getDomAttribute("data-shape")));
        inspector.assertSound();
    }

    @Test
    void the_request_of_a_step_is_offered_where_there_is_one() {
        inspector.session(service, parcel, "");
        // a question, a step, chunks, an answer, a call, the end of a step, a result, that result shortened later, a
        // summary
        for (long seq : new long[] {1, 6, 7, 30, 31, 59, LONG_RESULT, SHORTENED, SUMMARY}) {
            page.script("location.hash = arguments[0]", "/s/" + parcel + "?sel=" + seq);
            inspector.awaitDetail(seq);
            page.await("where it comes from", () -> !page.all("provenance").isEmpty());
            boolean offered = page.shows("show-request");
            assertThat(offered)
                    .as("the request of event " + seq)
                    .isEqualTo(service.answers("/sessions/parcel/events/" + seq + "/request") == 200);
        }
        inspector.assertSound();
    }

    @Test
    void the_plot_is_drawn_from_the_usage_of_the_session() {
        inspector.session(service, parcel, "");
        long points = service.queries().events(parcel, 0, 278).stream()
                .filter(event -> event.type().equals("assistant/message")
                        && event.data().text().contains("\"usage\""))
                .count();
        page.await(
                "its points",
                () -> String.valueOf(points).equals(page.one("plot").getDomAttribute("data-points")));
        WebElement canvas = page.one(By.cssSelector("[data-testid=plot] canvas"));
        String drawn = "(() => { const c = document.querySelector('[data-testid=plot] canvas');"
                + " const pixels = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                + " let drawn = 0; for (let i = 3; i < pixels.length; i += 4) drawn += pixels[i] > 0; return drawn; })()";
        page.await("pixels", () -> page.number(drawn) > 1_000);
        new Actions(page.driver()).moveToElement(canvas, 0, 0).click().perform();
        page.await("the moment that was clicked", () -> !"live".equals(inspector.session("data-as-of")));
        long moment = Long.parseLong(inspector.session("data-as-of"));
        assertThat(moment).isBetween(100L, 180L);
        page.one("plot-toggle").click();
        page.await("no plot", () -> !page.shows(By.cssSelector("[data-testid=plot] canvas")));
        page.one("plot-toggle").click();
        page.await("pixels again", () -> page.number(drawn) > 1_000);
        page.press(Keys.ARROW_RIGHT);
        inspector.awaitAsOf(moment + 1);
        // what is read out is what the first answer says
        inspector.session(service, parcel, "?seq=35");
        String said = service.queries().event(parcel, 30).data().text();
        page.await("what was used by then", () -> page.text("plot-reading").startsWith("30:"));
        long input = said(said, "inputTokens") + said(said, "cacheReadTokens");
        assertThat(page.text("plot-reading"))
                .contains(
                        input + " in", said(said, "cacheReadTokens") + " cached", said(said, "outputTokens") + " out");
        inspector.assertSound();
    }

    @Test
    void the_log_can_be_taken_away_in_both_formats() throws IOException {
        inspector.session(service, parcel, "");
        // the name is the API's, so that no id becomes that of a file
        page.one("export-jsonl").click();
        page.await("the log", () -> Files.exists(taken("session.jsonl")));
        List<String> lines = Files.readAllLines(taken("session.jsonl"));
        assertThat(lines.get(0)).startsWith("{\"type\":\"session\",\"version\":0,\"id\":\"parcel\"");
        assertThat(lines.get(lines.size() - 1)).contains("\"seq\":277");
        page.one("export-zstd").click();
        page.await("the log, compressed", () -> Files.exists(taken("session.jsonl.zstd")));
        try (JsonlReader reader = JsonlReader.open(taken("session.jsonl.zstd"), EventLimits.defaults())) {
            assertThat(reader.header().id()).isEqualTo(parcel);
        }
        inspector.assertSound();
    }

    private static Path taken(String name) {
        return CHROMIUM.downloads().resolve(name);
    }

    private static long said(String json, String member) {
        return Long.parseLong(json.replaceAll("(?s).*\"" + member + "\":([0-9]+).*", "$1"));
    }

    @Test
    void everything_is_reached_by_keyboard() {
        inspector.session(service, parcel, "?seq=60");
        inspector.awaitAsOf(60);
        page.press("g", "g");
        page.await("the first", () -> "0".equals(page.one("detail").getDomAttribute("data-seq")));
        page.press("j");
        page.await("the next", () -> "1".equals(page.one("detail").getDomAttribute("data-seq")));
        page.press("j", "j", "k", Keys.ENTER);
        page.await("back one", () -> "2".equals(page.one("detail").getDomAttribute("data-seq")));
        page.press("G");
        page.await("the last", () -> "277".equals(page.one("detail").getDomAttribute("data-seq")));
        page.press("?");
        page.await("the keys", () -> page.shows("keys"));
        page.screenshot("keys-wide");
        page.press(Keys.ESCAPE);
        page.await("no keys", () -> !page.shows("keys"));
        page.press("s", "j");
        page.await("a node", () -> page.shows(By.cssSelector("[data-testid=node][aria-selected=true]")));
        page.press("l");
        inspector.awaitAsOf("live");
        page.press("/");
        page.await("the search", () -> page.holds("document.activeElement.dataset.testid === 'search'"));
        page.press(Keys.ESCAPE);
        // each thing that can be pressed is come to with the tab key, and is seen to have the focus
        for (String id : List.of(
                "home", "search", "theme-toggle", "export-jsonl", "slider", "live", "log", "surface", "plot-toggle")) {
            page.script("document.activeElement.blur()");
            boolean found = false;
            for (int i = 0; i < 40 && !found; i++) {
                page.press(Keys.TAB);
                found = page.holds("document.activeElement.dataset.testid === arguments[0]", id);
            }
            assertThat(found).as(id).isTrue();
            assertThat(page.holds("(() => { const style = getComputedStyle(document.activeElement);"
                            + " return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0"
                            + " || style.boxShadow !== 'none'; })()"))
                    .as("focus is seen on " + id)
                    .isTrue();
        }
        inspector.assertSound();
    }
}
