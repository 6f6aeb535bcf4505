package io.surfacelog.web;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The description of this API, OpenAPI 3.1, as it stands on the class path. */
final class OpenApi {

    private static final String DOCUMENT = "openapi.json";

    private final JsonObject document;

    OpenApi() {
        try (InputStream in = Objects.requireNonNull(OpenApi.class.getResourceAsStream(DOCUMENT), DOCUMENT)) {
            document = (JsonObject) Json.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Route> routes() {
        return List.of(Route.get("/openapi.json", this::describe));
    }

    private void describe(Call call) throws IOException {
        JsonObject server = JsonObject.builder().put("url", call.base()).build();
        call.answer(document.with("servers", JsonArray.of(List.of(server))));
    }
}
