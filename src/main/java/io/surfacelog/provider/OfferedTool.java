package io.surfacelog.provider;

import io.surfacelog.event.JsonObject;
import java.util.Optional;

/**
 * A tool that a request offers.
 *
 * @param name its name as it was recorded
 * @param description what it does, if that was recorded
 * @param schema the schema of its arguments, of type object
 */
record OfferedTool(String name, Optional<String> description, JsonObject schema) {}
