package io.surfacelog.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;

/** Everybody can use the page: axe finds nothing serious in any of its states, in dark and light, wide and narrow. */
@Tag("slow")
class AccessiblePageTest {

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    @TempDir
    private static Path directory;

    private static Inspected service;
    private static SessionId parcel;

    private final InspectorPage inspector = new InspectorPage(CHROMIUM.page());
    private final Page page = inspector.page();
    private final List<String> findings = new ArrayList<>();

    @BeforeAll
    static void serve() {
        service = Inspected.in(directory);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private void look(String state) {
        for (String scheme : List.of("dark", "light")) {
            (scheme.equals("dark") ? page.dark() : page.light())
                    .await(scheme, () -> page.holds("document.documentElement.dataset.theme === arguments[0]", scheme));
            page.screenshot(state + "-" + scheme);
            Accessibility.heavyFindings(page).forEach(finding -> findings.add(state + ", " + scheme + ": " + finding));
        }
        page.dark();
    }

    @Test
    void axe_finds_nothing_serious() {
        inspector.list(service);
        look("list-empty");
        parcel = Logs.parcel(service);
        service.commands()
                .create(SessionHeader.builder().id(SessionId.of("new")).build());
        page.reload();
        page.await("two sessions", () -> page.all("session-row").size() == 2);
        look("list");
        inspector.open(service, "/s/new");
        page.await("no event yet", () -> page.shows("empty"));
        look("session-empty");
        inspector.open(service, "/s/nobody");
        page.await("no session", () -> page.shows("error"));
        look("session-unknown");
        // a browser's console complains of every 404, here of the one that is asked for
        Traffic refused = page.traffic();
        page.await("the complaint", () -> !refused.complaints().isEmpty());
        assertThat(refused.complaints()).allMatch(one -> one.contains("/sessions/nobody"));
        inspector.session(service, parcel, "");
        page.await("the surface", () -> page.shows(inspector.node(276)));
        look("session-live");
        inspector.session(service, parcel, "?seq=190&sel=175");
        inspector.awaitDetail(175);
        page.one(inspector.node(180)).findElement(Page.by("peek")).click();
        page.await("what it hides", () -> !page.all("hidden-node").isEmpty());
        page.one(By.cssSelector("[data-testid=log-row][data-last=\"197\"] [data-testid=fold]"))
                .click();
        page.await(
                "chunks",
                () -> !page.all(By.cssSelector("[data-testid=log-row][data-folded=false]"))
                        .isEmpty());
        look("session-past");
        page.one(inspector.node(171)).click();
        inspector.awaitDetail(171);
        page.one("show-request").click();
        page.await("the request", () -> page.shows("request-text"));
        look("request");
        page.press("?");
        page.await("the keys", () -> page.shows("keys"));
        look("keys");
        page.narrow();
        for (String tab : List.of("log", "surface", "detail")) {
            inspector.open(service, "/s/" + parcel + "?seq=190&sel=175");
            page.one("tab-" + tab).click();
            page.await(tab, () -> page.shows(tab));
            look("narrow-" + tab);
        }
        assertThat(findings).isEmpty();
        inspector.assertSound();
    }
}
