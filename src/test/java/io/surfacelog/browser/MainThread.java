package io.surfacelog.browser;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the main thread of a page has spent so far, in processor time: unlike a clock, it tells the same on a machine that
 * others use too.
 *
 * @param task all of it, in milliseconds
 * @param script of it in scripts
 * @param style of it in finding out which rules apply
 * @param layout of it in laying out
 * @param layouts how often it was laid out
 */
record MainThread(double task, double script, double style, double layout, double layouts) {

    static MainThread of(Page page) {
        page.driver().executeCdpCommand("Performance.enable", Map.of("timeDomain", "threadTicks"));
        List<?> metrics = (List<?>) page.driver()
                .executeCdpCommand("Performance.getMetrics", Map.of())
                .get("metrics");
        return new MainThread(
                1_000 * value(metrics, "TaskDuration"),
                1_000 * value(metrics, "ScriptDuration"),
                1_000 * value(metrics, "RecalcStyleDuration"),
                1_000 * value(metrics, "LayoutDuration"),
                value(metrics, "LayoutCount"));
    }

    private static double value(List<?> metrics, String name) {
        return metrics.stream()
                .map(Map.class::cast)
                .filter(metric -> name.equals(metric.get("name")))
                .mapToDouble(metric -> ((Number) metric.get("value")).doubleValue())
                .findFirst()
                .orElseThrow(() -> new AssertionError("the browser does not tell of " + name));
    }

    /** What each of so many things has cost since. */
    MainThread since(MainThread before, int things) {
        return new MainThread(
                (task - before.task) / things,
                (script - before.script) / things,
                (style - before.style) / things,
                (layout - before.layout) / things,
                (layouts - before.layouts) / things);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%.1f ms, %.1f in scripts, %.1f in style, %.1f in %.1f layouts",
                task,
                script,
                style,
                layout,
                layouts);
    }
}
