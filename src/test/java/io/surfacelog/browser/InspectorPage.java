package io.surfacelog.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The inspector in a browser, by the names of its parts. */
final class InspectorPage {

    private final Page page;

    InspectorPage(Page page) {
        this.page = page;
    }

    Page page() {
        return page;
    }

    /** Opens what stands behind the number sign, and waits until it can be used. */
    void open(Inspected service, String hash) {
        // two addresses that differ in that only are one document
        page.open("about:blank").open(service.page(hash));
        page.await("the page stands", () -> page.holds("document.documentElement.dataset.ready === 'true'"));
    }

    void list(Inspected service) {
        open(service, "");
        page.await(
                "the list stands",
                () -> !"loading".equals(page.one("session-list").getDomAttribute("data-state")));
    }

    /** Opens a session whose id needs no escaping, and waits until the slider works. */
    void session(Inspected service, SessionId id, String parameters) {
        open(service, "/s/" + id + parameters);
        awaitKnown();
    }

    void awaitKnown() {
        page.await(
                "the session is known",
                () -> page.shows(By.cssSelector("[data-testid=session][data-known=true]"))
                        && !page.all("log-row").isEmpty());
    }

    String session(String attribute) {
        return attribute(page.one("session"), attribute);
    }

    void awaitAsOf(Object moment) {
        page.await("as of " + moment, () -> session("data-as-of").equals(String.valueOf(moment)));
    }

    By row(long seq) {
        return By.cssSelector("[data-testid=log-row][data-seq=\"" + seq + "\"]");
    }

    By node(long seq) {
        return By.cssSelector("[data-testid=node][data-seq=\"" + seq + "\"]");
    }

    By provenance(String relation, long seq) {
        return By.cssSelector(
                "[data-testid=provenance-link][data-relation=" + relation + "][data-seq=\"" + seq + "\"]");
    }

    By line(String kind, long seq) {
        return By.cssSelector("[data-testid=lines] path[data-kind=" + kind + "][data-from=\"" + seq + "\"]");
    }

    /** Seqs of the rows of the log that are in the document, opened chunks too. */
    List<Long> rows() {
        return seqs("log-row");
    }

    /** Seqs of the nodes that are in the document. */
    List<Long> nodes() {
        return seqs("node");
    }

    private List<Long> seqs(String testId) {
        List<Long> seqs = new ArrayList<>();
        Object found = page.script(
                "return [...document.querySelectorAll('[data-testid=' + arguments[0] + ']')]"
                        + ".sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)"
                        + ".map(one => Number(one.dataset.seq))",
                testId);
        ((List<?>) Objects.requireNonNull(found)).forEach(one -> seqs.add(((Number) one).longValue()));
        return seqs;
    }

    /** Ids of the sessions in the list, in its order. */
    List<String> sessions() {
        List<String> ids = new ArrayList<>();
        Object found = page.script(
                "return [...document.querySelectorAll('[data-testid=session-row]')].map(row => row.dataset.session.toWellFormed())");
        ((List<?>) Objects.requireNonNull(found)).forEach(one -> ids.add(String.valueOf(one)));
        return ids;
    }

    /** Waits until an event is shown in the detail pane. */
    void awaitDetail(long seq) {
        page.await(
                "detail of " + seq,
                // in one question, since it is asked so often
                () -> page.holds(
                        "document.querySelector('[data-testid=detail]')?.dataset.seq === String(arguments[0])"
                                + " && document.querySelector('[data-testid=payload]')?.offsetHeight > 0",
                        seq));
    }

    static String attribute(WebElement element, String name) {
        return String.valueOf(element.getDomAttribute(name));
    }

    /** Nothing failed, nothing was forbidden, nothing was asked of anybody else, and no script of a session has run. */
    void assertSound() {
        Traffic traffic = page.traffic();
        assertThat(page.script("return window.pwned")).isNull();
        assertThat(traffic.faults()).isEmpty();
        assertThat(traffic.violations()).isEmpty();
        assertThat(traffic.complaints()).isEmpty();
        assertThat(traffic.requests())
                .allSatisfy(request -> assertThat(request.host()).isEqualTo("127.0.0.1"));
    }
}
