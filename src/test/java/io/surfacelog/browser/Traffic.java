package io.surfacelog.browser;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/**
 * What a page has asked of the network, what it was forbidden and what it has complained of. The browser notes requests and
 * complaints a little later than the page sees their answers: who expects one awaits it, on the same object.
 */
final class Traffic {

    private final ChromeDriver driver;
    private final Map<String, Request> requests = new LinkedHashMap<>();
    private final List<String> complaints = new ArrayList<>();

    Traffic(ChromeDriver driver) {
        this.driver = driver;
    }

    /**
     * One request.
     *
     * @param bytes of the body of the answer, unpacked, as far as it has come
     */
    record Request(String method, String url, long bytes) {

        String host() {
            String host =
                    URI.create(url.replaceAll("[^!-~]|[\"<>\\\\^`{|}]", "x")).getHost();
            return host == null ? "" : host;
        }

        private Request and(long more) {
            return new Request(method, url, bytes + more);
        }
    }

    /** Forgets what was noted so far. */
    void forget() {
        driver.manage().logs().get(LogType.PERFORMANCE);
        driver.manage().logs().get(LogType.BROWSER);
    }

    /** The requests noted and not forgotten, refused and failed ones too, but nothing that never left the page (data:). */
    List<Request> requests() {
        for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
            note(((JsonObject) Json.parse(entry.getMessage())).object("message").orElseThrow());
        }
        return requests.values().stream()
                .filter(request -> request.url().startsWith("http"))
                .toList();
    }

    private void note(JsonObject message) {
        JsonObject params =
                message.object("params").orElseGet(() -> JsonObject.builder().build());
        String id = params.string("requestId").orElse("");
        switch (message.string("method").orElse("")) {
            case "Network.requestWillBeSent" -> {
                JsonObject request = params.object("request").orElseThrow();
                requests.put(
                        requests.containsKey(id) ? id + "#" + requests.size() : id,
                        new Request(
                                request.string("method").orElseThrow(),
                                request.string("url").orElseThrow(),
                                0));
            }
            case "Network.dataReceived" -> {
                long bytes = params.longValue("dataLength").orElse(0);
                requests.computeIfPresent(id, (same, request) -> request.and(bytes));
            }
            default -> {
                // the rest tells of the page and not of the network
            }
        }
    }

    /** What the page was forbidden by its content-security-policy. */
    List<String> violations() {
        return watched("violations");
    }

    /** What its scripts have failed with. */
    List<String> faults() {
        return watched("faults");
    }

    private List<String> watched(String what) {
        List<String> found = new ArrayList<>();
        Object watched = driver.executeScript("return window.surfacelogWatch." + what);
        ((List<?>) watched).forEach(one -> found.add(String.valueOf(one)));
        return found;
    }

    /** What the browser's console has to complain of, noted and not forgotten. */
    List<String> complaints() {
        driver.manage().logs().get(LogType.BROWSER).getAll().forEach(entry -> complaints.add(entry.getMessage()));
        return List.copyOf(complaints);
    }
}
