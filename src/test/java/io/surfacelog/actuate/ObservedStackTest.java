package io.surfacelog.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.agent.AgentProfile;
import io.surfacelog.agent.Agents;
import io.surfacelog.compaction.Compactions;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.Usage;
import io.surfacelog.event.UserMessage;
import io.surfacelog.model.ModelPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The compose file and the dashboard name only what there is. */
class ObservedStackTest {

    private static final Path DOCKER = Path.of("src/main/docker");
    private static final Pattern METRIC = Pattern.compile("\\b(?:surfacelog|gen_ai_client)_[a-z0-9_]+");
    private static final Pattern LABEL = Pattern.compile("by \\(([a-z_, ]+)\\)");

    @TempDir
    Path directory;

    private static Map<String, Object> yaml(Path file) throws IOException {
        return new Yaml().load(Files.readString(file));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // what is asked for is what the file has to hold
    private static <T> T at(Object yaml, Object... path) {
        Object here = yaml;
        for (Object step : path) {
            here = step instanceof Integer index ? ((List<?>) here).get(index) : ((Map<?, ?>) here).get(step);
        }
        return (T) here;
    }

    private static List<JsonObject> targets() throws IOException {
        JsonObject dashboard =
                (JsonObject) Json.parse(Files.readString(DOCKER.resolve("grafana/dashboards/surfacelog.json")));
        return dashboard.array("panels").orElseThrow().items().stream()
                .map(JsonObject.class::cast)
                .flatMap(panel -> panel.array("targets").stream())
                .flatMap(targets -> targets.items().stream())
                .map(JsonObject.class::cast)
                .toList();
    }

    private static Set<String> matches(Pattern pattern, List<JsonObject> targets) {
        return targets.stream()
                .flatMap(target ->
                        pattern.matcher(target.string("expr").orElseThrow()).results())
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void every_meter_the_dashboard_asks_for_is_in_a_scrape_of_the_running_service() throws Exception {
        try (Served served = Served.startStandalone(
                directory.resolve("log.db"), "management.endpoints.web.exposure.include=health,prometheus")) {
            useEverything(served);

            String scrape = served.get("/actuator/prometheus").body();
            Set<String> found = scrape.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("[{ ]", 2)[0])
                    .collect(Collectors.toCollection(TreeSet::new));

            Set<String> wanted = matches(METRIC, targets());
            wanted.removeIf(name -> name.equals("gen_ai_request_model") || name.equals("gen_ai_token_type"));
            assertThat(wanted).hasSizeGreaterThan(25);
            assertThat(found).containsAll(wanted);
            for (JsonObject target : targets()) {
                String expression = target.string("expr").orElseThrow();
                LABEL.matcher(expression)
                        .results()
                        .flatMap(labels -> List.of(labels.group(1).split(", ")).stream())
                        .forEach(label -> assertThat(scrape.lines()
                                        .filter(line -> METRIC.matcher(expression)
                                                .results()
                                                .anyMatch(name -> line.startsWith(name.group() + "{"))))
                                .as(label + " in " + expression)
                                .anyMatch(line -> line.contains(label + "=\"")));
            }
        }
    }

    /** Some meters are there only once there was something to measure. */
    private static void useEverything(Served served) throws Exception {
        ModelPort model = (call, sink) -> {
            sink.accept(StreamChunk.text(0, "Lyon. ".repeat(500)));
            sink.accept(StreamChunk.usage(Usage.of(21, 2)));
            sink.accept(StreamChunk.finish("stop"));
        };
        var agent = served.bean(Agents.class)
                .create(SessionHeader.builder().build(), AgentProfile.of(model, "example", "helper-1"));
        for (int i = 0; i < 4; i++) {
            agent.followUp("Where is my parcel?").outcome().get(30, TimeUnit.SECONDS);
        }
        served.queries().messages(agent.id());
        served.bean(Compactions.class).compactNow(agent.id());
        assertThatThrownBy(() ->
                        served.commands().append(agent.id(), UserMessage.of("x"), SurfaceIntent.replace(900, 901)))
                .hasMessageContaining("900");
        agent.close();
    }

    @Test
    void the_compose_file_runs_the_executable_jar_and_provisions_what_is_there() throws Exception {
        Map<String, Object> compose = yaml(Path.of("docker-compose.yml"));
        Map<String, Object> service = at(compose, "services", "surfacelog");
        Map<String, String> environment = at(service, "environment");

        assertThat(Path.of(ObservedStackTest.<String>at(service, "build", "dockerfile")))
                .exists();
        assertThat(Files.readString(DOCKER.resolve("Dockerfile"))).contains("COPY target/surfacelog-exec.jar");
        assertThat(Files.readAllLines(DOCKER.resolve("Dockerfile.dockerignore")))
                .contains("!target/surfacelog-exec.jar");
        for (String each : List.of("prometheus", "grafana")) {
            List<String> volumes = at(compose, "services", each, "volumes");
            assertThat(volumes)
                    .filteredOn(volume -> volume.startsWith("./"))
                    .isNotEmpty()
                    .allSatisfy(volume -> assertThat(Path.of(volume.substring(0, volume.indexOf(':'))))
                            .exists());
        }
        Map<String, Object> prometheus = yaml(DOCKER.resolve("prometheus.yml"));
        assertThat(ObservedStackTest.<String>at(prometheus, "scrape_configs", 0, "static_configs", 0, "targets", 0))
                .isEqualTo("surfacelog:" + environment.get("MANAGEMENT_SERVER_PORT"));
        Map<String, Object> source = yaml(DOCKER.resolve("grafana/provisioning/datasources/prometheus.yml"));
        String uid = at(source, "datasources", 0, "uid");
        assertThat(targets())
                .allSatisfy(target -> assertThat(((JsonObject) target.get("datasource")).string("uid"))
                        .contains(uid));
        assertThat(environment.get("MANAGEMENT_ENDPOINTS_WEB_EXPOSURE_INCLUDE")).contains("prometheus");
    }

    @Test
    void nothing_of_the_stack_is_reachable_from_another_machine_and_every_secret_has_to_be_set() throws Exception {
        Map<String, Object> services = at(yaml(Path.of("docker-compose.yml")), "services");
        services.values().forEach(service -> {
            List<String> ports = at(service, "ports");
            assertThat(ports == null ? List.<String>of() : ports).allMatch(port -> port.startsWith("127.0.0.1:"));
        });
        String text = Files.readString(Path.of("docker-compose.yml"));
        assertThat(text).contains("SURFACELOG_WEB_TOKEN: ${SURFACELOG_WEB_TOKEN:?", "${GRAFANA_PASSWORD:?");
    }

    @Test
    void management_can_have_a_port_of_its_own_in_the_standalone_service() throws Exception {
        try (Served served = Served.startStandalone(
                directory.resolve("log.db"),
                "management.server.port=0",
                "management.endpoint.health.probes.enabled=true",
                "management.endpoint.health.group.readiness.include=readinessState,surfacelog")) {
            assertThat(served.get("/actuator/health").status()).isEqualTo(404);
            assertThat(served.management("/actuator/health/readiness").status()).isEqualTo(200);
            assertThat(served.management("/actuator/prometheus").status()).isEqualTo(404);
        }
    }
}
