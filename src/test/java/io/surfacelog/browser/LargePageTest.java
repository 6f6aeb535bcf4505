package io.surfacelog.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.browser.Traffic.Request;
import io.surfacelog.event.SessionId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;

/** A session of 100,000 events is looked at as one of 1,000 is: what is asked for and what is drawn is what is seen. */
@Tag("slow")
class LargePageTest {

    private static final long LARGE = 100_000;
    private static final long USUAL = 1_000;
    private static final int MOST_ROWS = 200;
    private static final int MOVES = 300;
    private static final int DRAGGED = 40;
    private static final long PAGE = 256;
    /** Pages that a window of the log reaches to either side of the moment, where pages are no more than a run or two. */
    private static final long SIGHT = 2;

    private static final Pattern ASKED_FROM = Pattern.compile("/rows\\?from=(\\d+)");

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    @TempDir
    private static Path directory;

    private static Inspected service;
    private static SessionId large;
    private static SessionId usual;

    private final InspectorPage inspector = new InspectorPage(CHROMIUM.page());
    private final Page page = inspector.page();

    /** What it took to open a session. */
    private record Opened(int requests, long bytes, long millis) {}

    @BeforeAll
    static void serve() {
        service = Inspected.in(directory);
        large = Logs.ofEvents(service, "large", LARGE);
        usual = Logs.ofEvents(service, "usual", USUAL);
        // both are warm: what is measured is the page and not the store
        service.queries().surface(large);
        service.queries().surface(usual);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private Opened open(SessionId id, long events) {
        page.reset();
        long started = System.nanoTime();
        inspector.session(service, id, "");
        page.await(
                "its end",
                () -> page.shows(endingWith(events - 1)) && !page.all("node").isEmpty());
        long millis = (System.nanoTime() - started) / 1_000_000;
        page.await("the plot", () -> page.one("plot").getDomAttribute("data-points") != null);
        page.screenshot(id.value());
        Traffic traffic = page.traffic();
        page.await(
                "all answers noted",
                () -> traffic.requests().stream()
                        .filter(request -> request.url().contains("/rows?"))
                        .allMatch(request -> request.bytes() > 0));
        List<Request> requests = traffic.requests();
        return new Opened(
                requests.size(), requests.stream().mapToLong(Request::bytes).sum(), millis);
    }

    /** The row that ends with this event, which may be one of a run of chunks. */
    private static By endingWith(long seq) {
        return By.cssSelector("[data-testid=log-row][data-last=\"" + seq + "\"]");
    }

    private void assertFewElements() {
        assertThat(page.all("log-row").size()).isBetween(5, MOST_ROWS);
        assertThat(page.all("node").size()).isBetween(1, MOST_ROWS);
        assertThat(page.number("document.querySelectorAll('*').length")).isLessThan(3_000);
    }

    @Test
    void a_hundred_times_the_events_are_opened_with_about_as_many_requests_and_bytes() {
        open(usual, USUAL);
        Opened few = open(usual, USUAL);
        Opened many = open(large, LARGE);
        System.out.printf("opening %,d events: %s%nopening %,d events: %s%n", USUAL, few, LARGE, many);
        assertThat(many.requests()).isLessThanOrEqualTo(2 * few.requests());
        assertThat(many.bytes()).isLessThanOrEqualTo(2 * few.bytes());
        assertFewElements();
        inspector.assertSound();
    }

    @Test
    void the_slider_shows_the_right_surface_wherever_it_is_moved() {
        inspector.session(service, large, "?seq=50000");
        page.traffic().forget();
        SplittableRandom random = new SplittableRandom(7);
        List<Long> millis = new ArrayList<>();
        List<Long> frames = new ArrayList<>();
        MainThread before = MainThread.of(page);
        for (int i = 0; i < MOVES; i++) {
            long seq = random.nextLong(1, LARGE);
            // frames, and time, from the move until the page has answered it
            Object took = page.driver()
                    .executeAsyncScript(
                            "const [seq, done] = arguments; const slider = document.querySelector('[data-testid=slider]');"
                                    + " const started = performance.now(); slider.value = seq; let frames = 0;"
                                    + " slider.dispatchEvent(new Event('input', {bubbles: true}));"
                                    + " const look = () => { frames++; document.querySelector('[data-testid=session]').dataset.asOf === String(seq)"
                                    + " ? done([frames, Math.round(performance.now() - started)]) : requestAnimationFrame(look); };"
                                    + " requestAnimationFrame(look);",
                            seq);
            assertThat(took).isInstanceOf(List.class);
            List<?> answered = (List<?>) took;
            frames.add(((Number) answered.get(0)).longValue());
            millis.add(((Number) answered.get(1)).longValue());
        }
        System.out.println("main thread, for each of " + MOVES + " moves: "
                + MainThread.of(page).since(before, MOVES));
        for (int i = 0; i < MOVES / 6; i++) {
            long seq = random.nextLong(1, LARGE);
            page.script(
                    "const slider = document.querySelector('[data-testid=slider]'); slider.value = arguments[0];"
                            + " slider.dispatchEvent(new Event('input', {bubbles: true}))",
                    seq);
            inspector.awaitAsOf(seq);
            assertSurface(seq);
            assertFewElements();
        }
        List<Long> sorted = millis.stream().sorted().toList();
        System.out.printf(
                "a move of the slider over %,d events: answered in frame %d at the latest; median %d ms, 95 %% below %d ms, most %d ms%n",
                LARGE,
                Collections.max(frames),
                sorted.get(MOVES / 2),
                sorted.get(MOVES * 95 / 100),
                sorted.get(MOVES - 1));
        assertThat(frames).as("frames until a move is answered").allMatch(frame -> frame <= 2);
        List<Request> asked = page.traffic().requests();
        long bytes = asked.stream().mapToLong(Request::bytes).sum();
        System.out.printf("%d moves asked for %d requests, %,d bytes%n", MOVES, asked.size(), bytes);
        assertThat(asked.size()).isLessThan(12 * MOVES);
        assertThat(bytes).isLessThan(MOVES * 500_000L);
        page.screenshot("moved");
        inspector.assertSound();
    }

    @Test
    void a_drag_over_the_whole_log_asks_for_what_is_looked_at() {
        inspector.session(service, large, "?seq=50000");
        page.await("rows", () -> page.all(By.cssSelector(".gap")).isEmpty());
        page.traffic().forget();
        page.script("window.most = 0; const open = new Set(); const fetched = window.fetch;"
                + " window.fetch = (path, init) => { const answer = fetched(path, init);"
                + " if (!String(path).includes('/rows?')) return answer;"
                + " const asked = {}; const over = () => open.delete(asked);"
                + " open.add(asked); window.most = Math.max(window.most, open.size);"
                + " init.signal.addEventListener('abort', over); answer.then(over, over); return answer; }");
        // one move a frame, as a browser tells of a pointer
        page.driver()
                .executeAsyncScript(
                        "const [last, moves, done] = arguments; const slider = document.querySelector('[data-testid=slider]'); let i = 0;"
                                + " const move = () => { if (i++ >= moves) return done(); slider.value = Math.round(last * i / (moves + 1));"
                                + " slider.dispatchEvent(new Event('input', {bubbles: true})); requestAnimationFrame(move); }; move();",
                        LARGE,
                        DRAGGED);
        long end = Math.round(LARGE * (double) DRAGGED / (DRAGGED + 1));
        inspector.awaitAsOf(end);
        page.await(
                "all that is in sight",
                () -> page.all(By.cssSelector(".gap")).isEmpty()
                        && page.holds(
                                "![...document.querySelectorAll('[data-testid=node] .says')].some(one => one.innerText === '…')"));
        List<Long> asked = page.traffic().requests().stream()
                .map(request -> ASKED_FROM.matcher(request.url()))
                .filter(Matcher::find)
                .map(found -> Long.parseLong(found.group(1)) / PAGE)
                .toList();
        Object most = page.driver().executeScript("return window.most");
        System.out.printf(
                "a drag of %d moves over %,d events asked for %d pages, %s of them at once%n",
                DRAGGED, LARGE, asked.size(), most);
        // how many are asked for depends on how fast they come; that few are under way and that each was looked at does
        // not
        assertThat(most).asInstanceOf(InstanceOfAssertFactories.LONG).isBetween(1L, 4L);
        List<Long> lookedAt = LongStream.rangeClosed(1, DRAGGED)
                .map(move -> Math.round(LARGE * (double) move / (DRAGGED + 1)) / PAGE)
                .boxed()
                .toList();
        assertThat(asked)
                .allMatch(number -> lookedAt.stream().anyMatch(page -> Math.abs(page - number) <= SIGHT), "looked at");
        assertSurface(end);
        inspector.assertSound();
    }

    /** The nodes that are drawn are a part of the true surface, in its order, and all that is in sight is there. */
    private void assertSurface(long seq) {
        List<Long> expected = LongStream.of(
                        service.queries().surfaceAsOf(large, seq).nodeSeqs())
                .boxed()
                .toList();
        page.await("nodes of the surface as of " + seq, () -> {
            List<Long> shown = inspector.nodes();
            return !shown.isEmpty() && Collections.indexOfSubList(expected, shown) >= 0;
        });
        assertThat(page.text("session-summary")).contains(String.format(Locale.ROOT, "%,d node", expected.size()));
    }

    @Test
    void a_log_of_any_length_has_a_height_that_browsers_lay_out() {
        inspector.session(service, usual, "");
        for (long events : new long[] {1, 255, 1_000_000, 30_000_000, 100_000_000}) {
            Object told = page.driver()
                    .executeAsyncScript(
                            "const [events, done] = arguments; (async () => {"
                                    + " const { Rows } = await import('./inspector/rows.js'); const { Layout } = await import('./inspector/layout.js');"
                                    + " const rows = new Rows('/none', events, () => {}, () => {}); const layout = new Layout(rows);"
                                    + " const tops = Array.from({length: 101}, (_, i) => layout.top(Math.floor((events - 1) * i / 100)));"
                                    + " return [layout.height, tops.every((top, i) => i === 0 || top >= tops[i - 1]), tops[100]]; })()"
                                    + ".then(done, e => done(String(e)));",
                            events);
            assertThat(told).isInstanceOf(List.class);
            List<?> facts = (List<?>) told;
            double height = ((Number) facts.get(0)).doubleValue();
            // with 400 pages of 256 rows read besides
            assertThat(height + 400 * 256 * 26).as("height of " + events).isLessThan(17_800_000);
            assertThat(facts.get(1)).as("rows ascend, of " + events).isEqualTo(true);
            assertThat(((Number) facts.get(2)).doubleValue()).isLessThan(height);
        }
        inspector.assertSound();
    }

    @Test
    void scrolling_anywhere_shows_rows_and_keeps_few() {
        inspector.session(service, large, "");
        for (double part : new double[] {0, 0.5, 0.9, 0.25, 1}) {
            page.script(
                    "const log = document.querySelector('[data-testid=log]'); log.scrollTop = log.scrollHeight * arguments[0]",
                    part);
            page.await(
                    "rows at " + part,
                    () -> page.holds(
                            "(() => { const log = document.querySelector('[data-testid=log]').getBoundingClientRect();"
                                    + " const row = document.elementFromPoint(log.left + 150, log.top + log.height / 2)"
                                    + "?.closest('[data-testid=log-row]'); return !!row && row.innerText.length > 3; })()"));
            assertFewElements();
        }
        page.script("document.querySelector('[data-testid=log]').scrollTop = 0");
        page.await("the first row", () -> page.shows(inspector.row(0)));
        page.press("G");
        page.await("the last row", () -> page.shows(endingWith(LARGE - 1)));
        inspector.assertSound();
    }
}
