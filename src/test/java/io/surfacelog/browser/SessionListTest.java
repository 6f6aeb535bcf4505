package io.surfacelog.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The list of sessions: what is in it, looking for one, and going to it. */
class SessionListTest {

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    @TempDir
    private static Path directory;

    private static Inspected service;

    private final InspectorPage inspector = new InspectorPage(CHROMIUM.page());
    private final Page page = inspector.page();

    @BeforeAll
    static void serve() {
        service = Inspected.in(directory);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static void create(String id, String cwd) {
        service.commands()
                .create(SessionHeader.builder()
                        .id(SessionId.of(id))
                        .cwd(cwd)
                        .agentPreset("support")
                        .build());
    }

    private List<String> sessions() {
        return inspector.sessions();
    }

    private void search(String text) {
        page.one("search").clear();
        page.one("search").sendKeys(text);
        page.await(
                "the list answers " + text,
                () -> text.equals(page.one("session-list").getDomAttribute("data-query"))
                        && !"loading".equals(page.one("session-list").getDomAttribute("data-state")));
    }

    @Test
    void sessions_are_listed_looked_for_and_gone_to() {
        inspector.list(service);
        page.await("it says that there is none", () -> page.shows("empty"));
        page.screenshot("empty-wide");
        page.narrow().screenshot("empty-narrow").wide();

        for (int i = 0; i < 60; i++) {
            create("order-" + i, i % 2 == 0 ? "/srv/shop" : "/srv/depot");
        }
        Logs.parcel(service);
        page.reload();
        page.await("the first page is there", () -> sessions().size() == 50);
        page.screenshot("full-wide");
        page.narrow();
        assertThat(page.scrollsSideways()).isFalse();
        page.screenshot("full-narrow").wide();

        page.one("more-sessions").click();
        page.await("the rest is there", () -> sessions().size() == 61);
        assertThat(sessions()).doesNotHaveDuplicates().contains("order-0", "order-59", Logs.PARCEL);
        assertThat(page.shows("more-sessions")).isFalse();

        search("order-5");
        page.await("those that say so", () -> sessions().size() == 11);
        assertThat(sessions()).allMatch(id -> id.startsWith("order-5")).contains("order-5", "order-50");
        search("depot");
        page.await("those whose header says so", () -> sessions().size() == 30);
        assertThat(sessions()).contains("order-1").doesNotContain("order-2");
        search("<b>&nobody");
        page.await("it says that nothing was found", () -> page.shows("empty"));
        assertThat(page.text("empty")).contains("<b>&nobody");
        page.screenshot("nothing-found-wide");

        search("parc");
        page.await("one is left", () -> sessions().equals(List.of(Logs.PARCEL)));
        page.reload();
        page.await("the search survives a reload", () -> sessions().equals(List.of(Logs.PARCEL)));
        page.one("session-row").click();
        page.await("it is opened", () -> page.shows("session"));
        assertThat(page.one("session").getDomAttribute("data-session")).isEqualTo(Logs.PARCEL);

        page.driver().navigate().back();
        page.await("back at the list", () -> page.shows("session-list"));
        page.driver().navigate().forward();
        page.await("and in the session again", () -> page.shows("session"));
        page.one("home").click();
        page.await("all sessions again", () -> sessions().size() == 50);
        // drawn behind this script, before the browser tells of the new hash, which is a task of its own
        page.script("document.querySelector('[data-testid=session-row]').click();"
                + "document.querySelector('[data-testid=show-keys]').click();");
        page.await("it is opened all the same", () -> page.shows("session"));
        page.press(Keys.ESCAPE);
        page.one("home").click();
        page.await("all sessions once more", () -> sessions().size() == 50);

        // by keyboard alone
        page.press("/");
        page.await("the search has the focus", () -> page.holds("document.activeElement.dataset.testid === 'search'"));
        page.press("order-17");
        page.await("one is left", () -> sessions().equals(List.of("order-17")));
        for (int i = 0; i < 12 && !page.holds("document.activeElement.dataset.testid === 'session-row'"); i++) {
            page.press(Keys.TAB);
        }
        page.press(Keys.ENTER);
        page.await("it is opened", () -> page.shows("session"));
        page.await("it says that nothing has happened", () -> page.shows("empty"));
        page.screenshot("no-events-wide");
        inspector.assertSound();
    }

    @Test
    void a_session_that_there_is_not_is_told_of() {
        inspector.open(service, "/s/nobody");
        page.await("it says so", () -> page.shows("error"));
        assertThat(page.text("error")).containsIgnoringCase("no such session");
        page.screenshot("wide");
        page.narrow().screenshot("narrow");
        assertThat(page.traffic().faults()).isEmpty();
        assertThat(page.traffic().violations()).isEmpty();
    }
}
