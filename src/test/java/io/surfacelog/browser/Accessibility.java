package io.surfacelog.browser;

import com.deque.html.axecore.results.CheckedNode;
import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What axe finds wrong with a page as it stands. */
final class Accessibility {

    private static final Set<String> HEAVY = Set.of("serious", "critical");

    private Accessibility() {}

    /** Its serious and critical findings, each with the parts it was found at. */
    static List<String> heavyFindings(Page page) {
        List<Rule> violations = new AxeBuilder().analyze(page.driver()).getViolations();
        // axe ends in a window of its own, behind which the page would be drawn no more
        page.driver().executeCdpCommand("Page.bringToFront", Map.of());
        return violations.stream()
                .filter(rule -> HEAVY.contains(String.valueOf(rule.getImpact())))
                .map(Accessibility::say)
                .toList();
    }

    private static String say(Rule rule) {
        return rule.getImpact() + " " + rule.getId() + ": " + rule.getHelp() + " at\n"
                + rule.getNodes().stream().map(Accessibility::say).collect(Collectors.joining("\n"));
    }

    private static String say(CheckedNode node) {
        return "  " + node.getTarget() + " " + node.getHtml() + "\n    "
                + String.valueOf(node.getFailureSummary()).replace("\n", "\n    ");
    }
}
