package io.surfacelog.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.openqa.selenium.UnexpectedAlertBehaviour;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.net.PortProber;

/**
 * A Chromium without a window. It reaches this machine and nothing else, and notes what a page
 * asks of the network, complains of, and is forbidden.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final Chromium chromium = new Chromium();
 *
 * chromium.page().open("http://127.0.0.1:…/");
 * }</pre>
 *
 * <p>Both programs are looked for where {@code PATH} says. Where one is missing the tests fail: a page that nobody looked at is
 * not one that works.
 */
final class Chromium implements BeforeAllCallback, BeforeEachCallback {

    private static final List<String> FLAGS = List.of(
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--disable-sync",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-default-apps",
            "--disable-extensions",
            "--disable-search-engine-choice-screen",
            "--no-first-run",
            "--no-default-browser-check",
            "--force-color-profile=srgb",
            // no name leads anywhere, so that a page cannot load what a user's browser would not find either
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost");

    private @Nullable Running running;
    private String test = "";

    /** One for all classes, which each meet it as new: to start one takes longer than most tests. */
    private record Running(ChromeDriver driver, Path profile) implements AutoCloseable {

        @Override
        public void close() throws IOException {
            driver.quit();
            delete(profile);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        running = context.getRoot()
                .getStore(ExtensionContext.Namespace.create(Chromium.class))
                .computeIfAbsent(Running.class, unused -> start(), Running.class);
    }

    private static Running start() {
        try {
            return started();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Running started() throws IOException {
        Path chromium = program("chromium", "chromium");
        Path chromedriver = program("chromedriver", "chromium-driver");
        Path directory = Files.createTempDirectory("surfacelog-chromium");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.toString());
        options.addArguments(FLAGS);
        options.addArguments("--user-data-dir=" + directory);
        // a dialog fails the step that meets it
        options.setUnhandledPromptBehaviour(UnexpectedAlertBehaviour.DISMISS_AND_NOTIFY);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        // a driver that is named is not looked for in the network
        int port = PortProber.findFreePort();
        ChromeDriverService service = new ChromeDriverService(
                chromedriver.toFile(), port, Duration.ofSeconds(20), List.of("--port=" + port, "--silent"), Map.of());
        ChromeDriver started = new ChromeDriver(service, options);
        started.manage().timeouts().scriptTimeout(Duration.ofSeconds(30));
        started.executeCdpCommand(
                "Browser.setDownloadBehavior",
                Map.of(
                        "behavior",
                        "allow",
                        "downloadPath",
                        Files.createDirectory(downloads(directory)).toString()));
        started.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", Page.WATCH));
        return new Running(started, directory);
    }

    private static Path program(String name, String debianPackage) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError("the inspector is tested in a real browser: expected the program "
                        + name + " on the PATH, found none; install the Debian package " + debianPackage));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        test = context.getRequiredTestMethod().getName();
        page().reset();
    }

    /** Where the browser puts what is taken away. */
    Path downloads() {
        return downloads(running().profile());
    }

    private static Path downloads(Path profile) {
        return profile.resolve("downloads");
    }

    /** The only window, as the running test meets it. */
    Page page() {
        return new Page(running().driver(), () -> test);
    }

    private Running running() {
        Running there = running;
        if (there == null) {
            throw new IllegalStateException("Chromium runs from before the first test on");
        }
        return there;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.deleteIfExists(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException stillWritten) {
            // a process of the browser that ends late; what is left lies among the temporary files
            System.err.println("left behind: " + stillWritten.getMessage());
        }
    }
}
