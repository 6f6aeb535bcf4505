package io.surfacelog.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.UserMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** A service that asks for a token. */
class TokenPageTest {

    private static final String TOKEN = "0123456789abcdef-token";

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    @TempDir
    private Path directory;

    private final InspectorPage inspector = new InspectorPage(CHROMIUM.page());
    private final Page page = inspector.page();
    private Inspected service;

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void the_page_asks_for_the_token_and_works_with_it() {
        service = Inspected.in(directory, "surfacelog.web.token=" + TOKEN);
        SessionId id = Logs.parcel(service);
        inspector.open(service, "/s/parcel?seq=200&sel=198");
        page.await("it asks", () -> page.shows("token-form"));
        assertThat(page.shows("session")).isFalse();
        page.screenshot("asks-wide");
        page.narrow().screenshot("asks-narrow").wide();

        page.one("token-input").sendKeys("not-the-right-token", Keys.ENTER);
        page.await("it is refused", () -> page.shows("token-error"));
        page.screenshot("refused-wide");
        assertThat(Accessibility.heavyFindings(page)).isEmpty();
        page.one("token-input").clear();
        page.one("token-input").sendKeys(TOKEN);
        page.one("token-submit").click();

        inspector.awaitKnown();
        inspector.awaitDetail(198);
        inspector.awaitAsOf(200);
        page.one("live").click();
        long next = service.queries().nextSeq(id);
        service.commands().append(id, UserMessage.of("Is anybody there?"), SurfaceIntent.append());
        page.await("it follows", () -> page.shows(inspector.row(next)));
        page.one("export-jsonl").click();
        page.await("the log", () -> Files.exists(CHROMIUM.downloads().resolve("parcel.jsonl")));

        page.reload();
        inspector.awaitKnown();
        assertThat(page.url()).doesNotContain(TOKEN);
        assertThat(page.holds("JSON.stringify(localStorage).includes(arguments[0])", TOKEN))
                .isFalse();
        assertThat(page.holds("document.cookie.includes(arguments[0])", TOKEN)).isFalse();
        assertThat(page.traffic().faults()).isEmpty();
        assertThat(page.traffic().violations()).isEmpty();
        assertThat(page.traffic().requests())
                .allSatisfy(request -> assertThat(request.url()).doesNotContain(TOKEN));
    }
}
