package io.surfacelog.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.autoconfigure.SurfacelogProperties;
import io.surfacelog.compaction.PrunePlan;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.surface.StructureRule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What README and docs list is what there is: rules, settings, the commands that build, and the files they link to. */
class ReferenceTest {

    private static final Path FORMAT = Path.of("docs/format.md");
    private static final Pattern SETTING = Pattern.compile("(?m)^\\| `(surfacelog\\.[a-z.-]+)` \\| `([^`]+)` \\|");
    /** What stands in the README for a setting without a default. */
    private static final String UNSET = "unset";

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");

    @Test
    void every_rule_has_its_line_in_the_format_and_none_is_invented() {
        assertThat(Documents.codesInTables(FORMAT, "[a-z]+\\.[a-z0-9-]+|envelope"))
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                Arrays.stream(AdmissionRule.values()).map(AdmissionRule::code),
                                Arrays.stream(StructureRule.values()).map(StructureRule::code))
                        .toList());
    }

    @Test
    void every_reason_why_a_result_is_not_pruned_is_told() {
        assertThat(Documents.codesInTables(Path.of("docs/pruning.md"), "[A-Z_]+"))
                .containsExactlyElementsOf(
                        Arrays.stream(PrunePlan.Reason.values()).map(Enum::name).toList());
    }

    @Test
    void every_setting_stands_in_the_readme_with_its_default_and_none_is_invented() throws Exception {
        Map<String, String> documented = SETTING.matcher(Documents.read(Documents.readme()))
                .results()
                .collect(Collectors.toMap(
                        result -> result.group(1), result -> result.group(2), (a, b) -> a, TreeMap::new));

        assertThat(documented).isEqualTo(settings());
    }

    private static Map<String, String> settings() throws Exception {
        Map<String, String> settings = new TreeMap<>();
        Path classes = Path.of(SurfacelogProperties.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (InputStream in = Files.newInputStream(classes.resolve("META-INF/spring-configuration-metadata.json"))) {
            JsonObject metadata = (JsonObject) Json.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            for (Json item : metadata.array("properties").orElseThrow().items()) {
                JsonObject property = (JsonObject) item;
                String defaultValue = property.string("defaultValue")
                        .orElseGet(() -> Objects.toString(property.get("defaultValue"), UNSET));
                String name = property.string("name").orElseThrow();
                // Spring Boot adds one of its own for each endpoint of the actuator
                if (name.startsWith("surfacelog.")) {
                    settings.put(name, defaultValue);
                }
            }
        }
        return settings;
    }

    @Test
    void the_section_build_holds_the_two_commands() {
        String readme = Documents.read(Documents.readme());
        String build = readme.substring(readme.indexOf("\n## Build\n"), readme.indexOf("\n## What you see\n"));

        assertThat(build.lines().filter(line -> line.startsWith("mvn ")))
                .containsExactly("mvn -q spring-boot:run", "mvn verify");
    }

    @Test
    void every_link_to_a_file_leads_to_one() {
        for (Path document : Documents.all()) {
            assertThat(LINK.matcher(Documents.read(document)).results().map(MatchResult::group))
                    .allSatisfy(link -> {
                        String target = LINK.matcher(link).replaceAll("$1");
                        assertThat(document.resolveSibling(target))
                                .as(document + ": " + link)
                                .exists();
                    });
        }
    }

    @Test
    void a_decision_is_named_by_its_title() throws IOException {
        try (Stream<Path> decisions = Files.list(Path.of("docs/decisions"))) {
            assertThat(decisions).isNotEmpty().allSatisfy(decision -> {
                String title = Documents.read(decision).lines().findFirst().orElseThrow();
                String name = title.replaceFirst("# ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 -]", "")
                        .replace(' ', '-');
                assertThat(decision.getFileName().toString()).matches("\\d{4}-" + name + "\\.md");
            });
        }
    }
}
