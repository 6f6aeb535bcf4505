package io.surfacelog.model;

import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Two tools to try things out with, which touch nothing: {@code clock} tells the time, {@code calculator} reckons. The
 * {@linkplain ScriptedModel#demo() demonstration model} calls them.
 *
 * <pre>{@code
 * List<Tool> tools = DemoTools.all();
 * }</pre>
 */
public final class DemoTools {

    /** Name of the tool that tells the time; its optional argument is {@code zone}. */
    public static final String CLOCK = "clock";
    /** Name of the tool that reckons; its argument is {@code expression}. */
    public static final String CALCULATOR = "calculator";

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private DemoTools() {}

    /** Both, with the clock of this machine. */
    public static List<Tool> all() {
        return List.of(clock(Clock.systemUTC()), calculator());
    }

    /** Tells the time of this clock, in UTC or in the zone that is asked for. */
    public static Tool clock(Clock clock) {
        ToolDefinition definition = ToolDefinition.of(CLOCK, "Tells the date and the time.")
                .parameters(schema("zone", "Name of a time zone, as Europe/Berlin; UTC if absent.", false))
                .inParallel()
                .timeout(TIMEOUT);
        return Tool.of(definition, call -> {
            String zone = call.arguments().string("zone").orElse("UTC");
            try {
                ZonedDateTime now = clock.instant().atZone(ZoneId.of(zone)).truncatedTo(ChronoUnit.SECONDS);
                return ToolOutput.text(DateTimeFormatter.ISO_ZONED_DATE_TIME.format(now));
            } catch (DateTimeException e) {
                return ToolOutput.error(
                        "expected zone to be the name of a time zone, as UTC or Europe/Berlin, found \"" + zone + "\"");
            }
        });
    }

    /** Reckons {@code + - * / %} with brackets and decimal numbers, to 34 digits. */
    public static Tool calculator() {
        ToolDefinition definition = ToolDefinition.of(CALCULATOR, "Reckons + - * / % with brackets.")
                .parameters(schema("expression", "What to reckon, as 12 * (3 + 4).", true))
                .inParallel()
                .timeout(TIMEOUT);
        return Tool.of(
                definition,
                call -> call.arguments()
                        .string("expression")
                        .map(DemoTools::reckon)
                        .orElseGet(() -> ToolOutput.error("expected a string expression, as 12 * (3 + 4), found "
                                + call.arguments().toText())));
    }

    private static ToolOutput reckon(String expression) {
        try {
            return ToolOutput.text(Arithmetic.text(Arithmetic.value(expression)));
        } catch (ArithmeticException e) {
            return ToolOutput.error("cannot reckon \"" + expression + "\": " + e.getMessage());
        }
    }

    private static JsonObject schema(String name, String description, boolean required) {
        JsonObject property = JsonObject.builder()
                .put("type", "string")
                .put("description", description)
                .build();
        return JsonObject.builder()
                .put("type", "object")
                .put("properties", JsonObject.builder().put(name, property).build())
                .put("required", required ? JsonArray.of(List.of(JsonString.of(name))) : JsonArray.EMPTY)
                .put("additionalProperties", false)
                .build();
    }
}
