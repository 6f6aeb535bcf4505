package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever wrote a session cannot speak to the terminal of whoever looks at it. */
class HostileTextTest {

    /** Escape, CSI, BEL, DEL, a turn of the writing direction, a lone surrogate and NUL, as JSON spells them. */
    private static final String HOSTILE = "\\u001b[31m\\u009b2J\\u0007\\u007f\\u202e\\ud800\\u0000";

    @TempDir
    Path folder;

    private static void isHarmless(String printed) {
        assertThat(printed.chars().filter(c -> c != '\n' && (c < 0x20 || (c >= 0x7F && c < 0xA0))))
                .as(printed)
                .isEmpty();
        assertThat(printed).doesNotContain("\u202e");
        assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(printed)).isTrue();
    }

    @Test
    void no_command_prints_what_a_terminal_would_obey() {
        Cli cli = Cli.in(folder);
        String id = "json:\"" + HOSTILE + "\"";
        Path file = LogFile.of(HOSTILE)
                .user(HOSTILE)
                .event("hook/" + HOSTILE, "{\"" + HOSTILE + "\":\"" + HOSTILE + "\"}")
                .event("turn/end", "{\"turn\":1,\"reason\":{\"kind\":\"" + HOSTILE + "\"}}")
                .event("turn/start", "{\"turn\":1}")
                .event("turn/start", "{\"turn\":1}")
                .in(folder);

        isHarmless(cli.done("import", file).out());
        for (Object[] command : new Object[][] {
            {"list"},
            {"list", "--contains", id},
            {"show", id},
            {"show", id, "--json"},
            {"messages", id},
            {"messages", id, "--json"},
            {"surface", id},
            {"surface", id, "--json"},
            {"explain", id, 0},
            {"explain", id, 1},
            {"recover", id},
            {"verify", id},
            {"verify", "--all"}
        }) {
            String printed = cli.done(command).out();
            isHarmless(printed);
            assertThat(printed).as(String.valueOf(command[0])).isNotEmpty();
        }
    }

    @Test
    void no_error_says_what_a_terminal_would_obey() {
        Cli cli = Cli.in(folder);
        cli.done("import", LogFile.of(HOSTILE).in(folder));

        isHarmless(cli.failed("import", LogFile.of(HOSTILE).in(folder)).err());
        isHarmless(cli.failed("import", LogFile.of("s").event(HOSTILE, "1").in(folder))
                .err());
        isHarmless(cli.failed("import", "none\u001b[31m").err());
        isHarmless(cli.failed("show", "json:\"x" + HOSTILE + "\"").err());
        isHarmless(cli.run("show", "json:\u001b[31m").err());
        isHarmless(cli.run("\u001b[31m").err());
        isHarmless(cli.failed(
                        "export", id(), "-o", folder.resolve("none\u001b[31m").resolve("x"))
                .err());
    }

    private static String id() {
        return "json:\"" + HOSTILE + "\"";
    }

    @Test
    void an_id_is_printed_as_it_can_be_typed() {
        Cli cli = Cli.in(folder);
        for (String id : new String[] {"plain", "json:x", "-dash", " space", "@file", "ü 漢", HOSTILE}) {
            cli.done("import", LogFile.of(id).in(folder));
        }

        for (String row : cli.done("list").out().lines().skip(1).toList()) {
            String printed = row.substring("2026-09-21 14:13          0                 0  ".length());
            assertThat(cli.done("verify", printed).out()).isEqualTo(printed + ": sound, 0 events\n");
        }
    }

    @Test
    void JSON_on_its_way_to_a_terminal_keeps_its_value() throws IOException {
        String json = Json.parse("\"" + HOSTILE + "é漢\u00a0\ud83d\ude00\"").toText();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TerminalFilter filter = new TerminalFilter(bytes)) {
            filter.write(json.getBytes(StandardCharsets.UTF_8));
        }
        String filtered = bytes.toString(StandardCharsets.UTF_8);

        assertThat(filtered).contains("\\u009b2J", "\\u007f", "é漢\u00a0\ud83d\ude00");
        assertThat(Json.parse(filtered)).isEqualTo(Json.parse(json));
        assertThat(Json.parse(JsonLine.escaped(json))).isEqualTo(Json.parse(json));
        isHarmless(JsonLine.escaped(json));
    }
}
