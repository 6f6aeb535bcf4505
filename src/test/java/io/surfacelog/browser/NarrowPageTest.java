package io.surfacelog.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionId;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The page on a telephone: 400 pixels, one column at a time. */
class NarrowPageTest {

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

    private void assertFits(String state) {
        assertThat(page.scrollsSideways()).as(state).isFalse();
        page.screenshot(state + "-dark");
        page.light().screenshot(state + "-light").dark();
    }

    @Test
    void columns_become_tabs_and_nothing_is_wider_than_the_window() {
        page.narrow();
        inspector.open(service, "/s/" + parcel);
        page.await("the session", () -> page.shows("session") && page.shows("tabs"));
        page.one("tab-log").click();
        page.await("the log alone", () -> page.shows("log") && !page.shows("surface"));
        page.await("its end", () -> page.shows(inspector.row(277)));
        assertFits("log");
        // what the session is, its moment and its tokens leave most of the window to what has happened
        assertThat(page.one("log").getSize().getHeight()).isGreaterThan(540);
        page.one("plot-toggle").click();
        page.await("the plot", () -> page.shows(By.cssSelector("[data-testid=plot] canvas")));
        assertThat(page.one("log").getSize().getHeight()).isGreaterThan(440);
        assertFits("plot");
        page.one("plot-toggle").click();
        page.one("tab-surface").click();
        page.await("the surface alone", () -> page.shows("surface") && !page.shows("log"));
        page.await("its nodes", () -> page.shows(inspector.node(276)));
        assertFits("surface");
        page.one(inspector.node(276)).click();
        page.one("tab-detail").click();
        page.await("the detail alone", () -> page.shows("payload") && !page.shows("surface"));
        assertFits("detail");
        page.one("show-request").click();
        page.await("the request", () -> page.shows("request-text"));
        assertFits("request");
        for (String tab : List.of("tab-log", "tab-surface", "tab-detail")) {
            WebElement element = page.one(tab);
            // a finger is as wide as that
            assertThat(element.getSize().getHeight()).as(tab).isGreaterThanOrEqualTo(32);
        }
        page.one("tab-detail").sendKeys(Keys.ARROW_LEFT);
        page.await("the surface by keyboard", () -> page.shows("surface"));
        assertThat(page.holds("document.activeElement.dataset.testid === 'tab-surface'"))
                .isTrue();
        page.script("const slider = document.querySelector('[data-testid=slider]'); slider.value = 100;"
                + " slider.dispatchEvent(new Event('input', {bubbles: true}))");
        inspector.awaitAsOf(100);
        page.await("the surface of then", () -> !page.shows(inspector.node(276)));
        assertFits("past");
        assertThat(page.one(By.cssSelector("[data-testid=slider]")).getSize().getWidth())
                .isGreaterThan(100);
        inspector.assertSound();
    }
}
