package io.surfacelog.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing is shown to anybody but by Spring Boot's own settings. */
class ExposureTest {

    @TempDir
    Path directory;

    @Test
    void unless_told_otherwise_only_health_is_exposed_and_without_figures() throws Exception {
        try (Served served = Served.start(directory.resolve("log.db"))) {
            assertThat(served.get("/actuator/health").status()).isEqualTo(200);
            assertThat(served.get("/actuator/health").body()).doesNotContain("storeId");
            for (String endpoint : new String[] {"sessions", "surface", "sessionlog", "provenance", "verify"}) {
                assertThat(served.get("/actuator/" + endpoint + "?session=a").status())
                        .as(endpoint)
                        .isEqualTo(404);
            }
            assertThat(served.post("/actuator/verify", "{}").status()).isEqualTo(404);
        }
    }

    @Test
    void readiness_can_ask_the_store_and_liveness_does_not() throws Exception {
        try (Served served = Served.start(
                directory.resolve("log.db"),
                "management.endpoint.health.probes.enabled=true",
                "management.endpoint.health.group.readiness.include=readinessState,surfacelog",
                "surfacelog.health.min-free-space=1000000TB")) {
            assertThat(served.get("/actuator/health/readiness").status()).isEqualTo(503);
            assertThat(served.get("/actuator/health/liveness").status()).isEqualTo(200);
        }
    }

    @Test
    void an_endpoint_that_is_read_only_does_not_verify() throws Exception {
        try (Served served = Served.start(
                directory.resolve("log.db"),
                "management.endpoints.web.exposure.include=verify",
                "management.endpoint.verify.access=read-only")) {
            assertThat(served.post("/actuator/verify", "{}").status()).isIn(404, 405);
        }
    }
}
