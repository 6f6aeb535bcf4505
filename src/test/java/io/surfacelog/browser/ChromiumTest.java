package io.surfacelog.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** What the tests of the inspector rely on: a browser that would notice if something were wrong. */
class ChromiumTest {

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    private final Page page = CHROMIUM.page();
    private HttpServer server;

    private void serve(String policy, String body) throws IOException {
        byte[] bytes =
                ("<!DOCTYPE html><html lang=en><title>t</title><meta name=color-scheme content='light dark'><main><h1>h</h1>"
                                + body + "</main>")
                        .getBytes(StandardCharsets.UTF_8);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Content-Security-Policy", policy);
            exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        page.open("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void it_notices_what_a_policy_forbids() throws IOException {
        serve("script-src 'none'", "<script>window.pwned = 1</script>");
        page.await("a violation", () -> !page.traffic().violations().isEmpty());
        assertThat(page.traffic().violations()).singleElement().asString().startsWith("script-src-elem");
        assertThat(page.script("return window.pwned")).isNull();
    }

    @Test
    void it_notices_scripts_that_run_and_that_fail() throws IOException {
        serve("", "<script>window.pwned = 1; missing()</script>");
        assertThat(page.number("window.pwned")).isOne();
        assertThat(page.traffic().faults()).singleElement().asString().contains("missing is not defined");
        Traffic traffic = page.traffic();
        page.await(
                "a complaint",
                () -> traffic.complaints().stream().anyMatch(one -> one.contains("missing is not defined")));
    }

    @Test
    void it_notices_requests_to_elsewhere_and_makes_none() throws IOException {
        serve("", "<img alt='' src='http://elsewhere.example/pixel.png'>" + "x".repeat(5_000));
        Traffic traffic = page.traffic();
        page.await(
                "a request answered here",
                () -> traffic.requests().stream()
                        .anyMatch(request -> request.host().equals("127.0.0.1") && request.bytes() > 5_000));
        page.await(
                "a request to elsewhere",
                () -> traffic.requests().stream()
                        .anyMatch(request -> request.host().equals("elsewhere.example")));
        page.await(
                "a complaint of it",
                () -> traffic.complaints().stream().anyMatch(one -> one.contains("ERR_NAME_NOT_RESOLVED")));
        assertThat(traffic.requests())
                .filteredOn(request -> request.host().equals("elsewhere.example"))
                .allSatisfy(request -> assertThat(request.bytes()).isZero());
    }

    @Test
    void it_notices_what_not_everybody_can_use() throws IOException {
        serve("", "<p style='color:#777;background:#888'>grey in grey</p><input id=nameless>");
        assertThat(Accessibility.heavyFindings(page))
                .hasSize(2)
                .anyMatch(finding -> finding.startsWith("serious color-contrast"))
                .anyMatch(finding -> finding.startsWith("critical label"));
    }

    @Test
    void it_is_as_wide_and_as_dark_as_it_is_told() throws IOException {
        serve("", "<p style='width:700px'>wide</p>");
        assertThat(page.scrollsSideways()).isFalse();
        assertThat(page.holds("matchMedia('(prefers-color-scheme: dark)').matches"))
                .isTrue();
        page.narrow().light();
        assertThat(page.scrollsSideways()).isTrue();
        assertThat(page.number("innerWidth")).isEqualTo(400);
        assertThat(page.holds("matchMedia('(prefers-color-scheme: dark)').matches"))
                .isFalse();
        assertThat(page.one(By.tagName("p")).getText()).isEqualTo("wide");
    }
}
