package io.surfacelog.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.TimeoutException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** What a person does with the page, and what they see of it. Parts of it are named by their {@code data-testid}. */
final class Page {

    /** Notes, before any script of a page runs, what it is forbidden and what it fails with. */
    static final String WATCH = """
            window.surfacelogWatch = {violations: [], faults: []};
            addEventListener('securitypolicyviolation',
                event => surfacelogWatch.violations.push(event.violatedDirective + ' ' + event.blockedURI));
            addEventListener('error', event => surfacelogWatch.faults.push(String(event.message)));
            addEventListener('unhandledrejection', event => surfacelogWatch.faults.push(String(event.reason)));
            """;

    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Duration POLL = Duration.ofMillis(25);

    private final ChromeDriver driver;
    private final Supplier<String> test;

    Page(ChromeDriver driver, Supplier<String> test) {
        this.driver = driver;
        this.test = test;
    }

    ChromeDriver driver() {
        return driver;
    }

    /** Nothing of what an earlier test did: an empty page, nothing stored, wide and dark. */
    void reset() {
        driver.get("about:blank");
        driver.executeCdpCommand("Storage.clearDataForOrigin", Map.of("origin", "*", "storageTypes", "all"));
        wide();
        dark();
        new Traffic(driver).forget();
    }

    Page wide() {
        return size(1_440, 900);
    }

    /** As wide as a telephone. */
    Page narrow() {
        return size(400, 800);
    }

    private Page size(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        return this;
    }

    Page dark() {
        return prefer("dark");
    }

    Page light() {
        return prefer("light");
    }

    private Page prefer(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", scheme),
                                // what moves is not yet what it will be
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
        return this;
    }

    Page open(String url) {
        driver.get(url);
        return this;
    }

    Page reload() {
        driver.navigate().refresh();
        return this;
    }

    String url() {
        return String.valueOf(driver.getCurrentUrl());
    }

    static By by(String testId) {
        return By.cssSelector("[data-testid=\"" + testId + "\"]");
    }

    /** The part of this name, as soon as it is seen. */
    WebElement one(String testId) {
        return one(by(testId));
    }

    WebElement one(By by) {
        awaitThat(() -> all(by).stream().anyMatch(WebElement::isDisplayed), by::toString);
        return all(by).stream()
                .filter(WebElement::isDisplayed)
                .findFirst()
                .orElseThrow(() -> new AssertionError(by + " is gone again"));
    }

    List<WebElement> all(String testId) {
        return all(by(testId));
    }

    List<WebElement> all(By by) {
        return driver.findElements(by);
    }

    boolean shows(String testId) {
        return shows(by(testId));
    }

    boolean shows(By by) {
        return all(by).stream().anyMatch(WebElement::isDisplayed);
    }

    String text(String testId) {
        // a lone surrogate does not pass the driver's wire
        return String.valueOf(script("return arguments[0].innerText.toWellFormed()", one(testId)));
    }

    /** Waits until this holds, with a bound. */
    Page await(String what, BooleanSupplier holds) {
        awaitThat(holds, () -> what);
        return this;
    }

    private void awaitThat(BooleanSupplier holds, Supplier<String> what) {
        try {
            new WebDriverWait(driver, BOUND, POLL)
                    .ignoring(StaleElementReferenceException.class)
                    .until(unused -> holds.getAsBoolean());
        } catch (TimeoutException e) {
            screenshot("failed");
            throw new AssertionError(
                    "expected within " + BOUND.toSeconds() + " s: " + what.get() + "; the page is at " + url()
                            + " and shown in " + SCREENSHOTS.resolve(test.get() + "-failed.png"),
                    e);
        }
    }

    /** Presses keys one after the other, wherever the focus is. */
    Page press(CharSequence... keys) {
        for (CharSequence key : keys) {
            new Actions(driver).sendKeys(key).perform();
        }
        return this;
    }

    /** Presses a key together with the shift key. */
    Page pressShift(CharSequence key) {
        new Actions(driver).keyDown(Keys.SHIFT).sendKeys(key).keyUp(Keys.SHIFT).perform();
        return this;
    }

    /** Goes over a part with the mouse. */
    Page hover(WebElement element) {
        new Actions(driver).moveToElement(element).perform();
        return this;
    }

    /** Evaluates the body of a function in the page. */
    @Nullable
    Object script(String body, Object... arguments) {
        return driver.executeScript(body, arguments);
    }

    boolean holds(String expression, Object... arguments) {
        return Boolean.TRUE.equals(script("return " + expression, arguments));
    }

    long number(String expression, Object... arguments) {
        if (script("return " + expression, arguments) instanceof Number number) {
            return number.longValue();
        }
        throw new AssertionError("expected a number: " + expression);
    }

    /** Whether anything is wider than the window. */
    boolean scrollsSideways() {
        return number("document.documentElement.scrollWidth - document.documentElement.clientWidth") > 0;
    }

    /** Keeps what is seen, under the name of the test. */
    Page screenshot(String state) {
        try {
            Files.createDirectories(SCREENSHOTS);
            Files.write(
                    SCREENSHOTS.resolve(test.get() + "-" + state + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    Traffic traffic() {
        return new Traffic(driver);
    }
}
