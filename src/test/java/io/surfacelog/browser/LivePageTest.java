package io.surfacelog.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.EventDraft;
import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.Usage;
import io.surfacelog.event.UserMessage;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** A session that is looked at while an agent goes on. */
class LivePageTest {

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    @TempDir
    private Path directory;

    private final InspectorPage inspector = new InspectorPage(CHROMIUM.page());
    private final Page page = inspector.page();
    private final SessionId id = SessionId.of("live");
    private Inspected service;

    @BeforeEach
    void serve() {
        service = Inspected.in(directory);
        service.commands().create(SessionHeader.builder().id(id).build());
    }

    @AfterEach
    void stop() {
        service.close();
    }

    /** What an agent does in a turn, each event of it committed by itself; 10 events. */
    private void turn(int number) {
        service.commands().append(id, TurnStart.of(number));
        service.commands().append(id, UserMessage.of("Question " + number), SurfaceIntent.append());
        service.commands().append(id, StepStart.of(number, 1));
        long first = service.queries().nextSeq(id);
        for (int i = 0; i < 4; i++) {
            service.commands().append(id, AssistantChunk.of(number, 1, StreamChunk.text(0, "word " + i + " ")));
        }
        service.commands()
                .append(
                        id,
                        AssistantMessage.of(
                                        number, 1, Message.assistant("acme", "m-1", TextBlock.of("Answer " + number)))
                                .withUsage(Usage.of(100L * number, 10)),
                        SurfaceIntent.append().citing(EventSeqs.range(first, first + 3)));
        service.commands().append(id, StepEnd.of(number, 1));
        service.commands().append(id, TurnEnd.of(number, TurnEndReason.completed()));
    }

    private void awaitEvents(long events) {
        page.await(events + " events", () -> inspector.session("data-next-seq").equals(String.valueOf(events)));
    }

    @Test
    void the_page_follows_the_agent_and_stays_where_it_is_told_to() {
        inspector.open(service, "/s/live");
        page.await("it waits for events", () -> page.shows("empty"));
        turn(1);
        awaitEvents(10);
        page.await("the newest row", () -> inspector.rows().contains(9L));
        page.await("the surface", () -> inspector.nodes().equals(List.of(1L, 7L)));
        page.await("the plot", () -> "1".equals(page.one("plot").getDomAttribute("data-points")));
        page.await("it is well", () -> "ok".equals(page.one("health").getDomAttribute("data-state")));

        for (int i = 2; i <= 12; i++) {
            turn(i);
        }
        awaitEvents(120);
        page.await("the end is in sight", () -> page.shows(inspector.row(119)));
        page.await("all on the surface", () -> inspector.nodes().contains(117L));
        page.await("all in the plot", () -> "12".equals(page.one("plot").getDomAttribute("data-points")));
        page.screenshot("live");

        // whoever looks at the past is left there
        page.press(Keys.ARROW_LEFT);
        inspector.awaitAsOf(118);
        turn(13);
        awaitEvents(130);
        assertThat(inspector.session("data-as-of")).isEqualTo("118");
        // how many of them are drawn is a matter of their heights
        assertThat(inspector.nodes()).contains(117L).allMatch(seq -> seq < 118);
        page.one("live").click();
        page.await("the end is in sight", () -> page.shows(inspector.row(129)));
        inspector.assertSound();
    }

    @Test
    void an_agent_in_a_hurry_is_followed_without_losing_an_event() {
        inspector.open(service, "/s/live");
        page.await("it waits for events", () -> page.shows("empty"));
        for (int batch = 0; batch < 30; batch++) {
            service.commands()
                    .appendAll(
                            id,
                            IntStream.range(0, 100)
                                    .mapToObj(
                                            i -> EventDraft.of(UserMessage.of("x".repeat(200)), SurfaceIntent.append()))
                                    .toList());
        }
        awaitEvents(3_000);
        page.await("the end is in sight", () -> page.shows(inspector.row(2_999)));
        page.await("the newest node", () -> inspector.nodes().contains(2_999L));
        assertThat(page.text("session-summary")).contains("3,000 events", "3,000 nodes");
        assertThat(page.number("document.querySelectorAll('*').length")).isLessThan(2_500);
        inspector.assertSound();
    }

    @Test
    void a_service_that_goes_away_and_comes_back_is_told_of_and_followed_again() {
        turn(1);
        inspector.session(service, id, "");
        awaitEvents(10);
        URI address = URI.create(service.page(""));
        service.close();
        page.await("it says that there is no connection", () -> !"ok".equals(health()));
        page.screenshot("lost");
        // what is known can still be looked at
        page.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_LEFT);
        inspector.awaitAsOf(6);
        page.await("the surface of then", () -> inspector.nodes().equals(List.of(1L)));
        page.press("l");
        service = Inspected.in(directory, "server.port=" + address.getPort());
        turn(2);
        turn(3);
        awaitEvents(30);
        page.await("it is well again", () -> "ok".equals(health()));
        page.await("no problem is left", () -> !page.shows("problem"));
        // nothing is missing and nothing is there twice
        page.await("the surface", () -> inspector.nodes().equals(List.of(1L, 7L, 11L, 17L, 21L, 27L)));
        page.await(
                "the log",
                () -> inspector
                        .rows()
                        .equals(List.of(
                                0L, 1L, 2L, 3L, 7L, 8L, 9L, 10L, 11L, 12L, 13L, 17L, 18L, 19L, 20L, 21L, 22L, 23L, 27L,
                                28L, 29L)));
        page.await("the plot", () -> "3".equals(page.one("plot").getDomAttribute("data-points")));
        turn(4);
        awaitEvents(40);
        assertThat(page.script("return window.pwned")).isNull();
        assertThat(page.traffic().faults()).isEmpty();
    }

    private String health() {
        return InspectorPage.attribute(page.one("health"), "data-state");
    }

    @Test
    void the_list_goes_on_by_itself_and_says_when_it_cannot() {
        inspector.list(service);
        page.await("one session", () -> inspector.sessions().equals(List.of("live")));
        turn(1);
        service.commands()
                .create(SessionHeader.builder().id(SessionId.of("second")).build());
        page.await("a new one", () -> inspector.sessions().equals(List.of("second", "live")));
        By live = By.cssSelector("[data-testid=session-row][data-session=live][data-active=true]");
        page.await(
                "what has happened",
                () -> page.shows(live) && page.one(live).getText().contains("10 events"));
        page.screenshot("wide");
        service.commands().delete(SessionId.of("second"));
        page.await("one less", () -> inspector.sessions().equals(List.of("live")));

        URI address = URI.create(service.page(""));
        service.close();
        page.await("it says so", () -> page.shows("problem"));
        page.await("it is lost", () -> health().equals("lost"));
        assertThat(inspector.sessions()).containsExactly("live");
        page.screenshot("lost");
        page.narrow();
        assertThat(page.scrollsSideways()).isFalse();
        page.screenshot("lost-narrow").wide();
        service = Inspected.in(directory, "server.port=" + address.getPort());
        turn(2);
        page.await(
                "it is there again",
                () -> !page.shows("problem") && page.text("session-row").contains("20 events"));
        page.await("it is well again", () -> health().equals("ok"));
        assertThat(page.traffic().faults()).isEmpty();
    }

    @Test
    void a_session_that_is_deleted_while_it_is_looked_at_is_told_of() {
        turn(1);
        inspector.session(service, id, "");
        awaitEvents(10);
        service.commands().delete(id);
        page.await("it says so", () -> page.shows("error"));
        assertThat(page.all(By.cssSelector("[data-testid=session]"))).isEmpty();
        page.screenshot("wide");
        assertThat(page.traffic().faults()).isEmpty();
    }
}
