package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonString;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ids that are no file names come in by import and go out by export as they are. */
class OddIdsTest {

    /** As JSON spells them. */
    private static final List<String> IDS = List.of(
            "n".repeat(300),
            "\\u0000",
            "a\\u0000b",
            "/",
            "..",
            "../../etc/passwd",
            "\\ud83d\\ude00",
            "\\ud83d",
            "\\ude00",
            "C:\\\\x");

    @TempDir
    Path folder;

    @Test
    void come_back_from_an_export_as_they_went_in() throws Exception {
        Cli cli = Cli.in(folder);
        Cli again = new Cli(folder.resolve("again").resolve("log.db"));
        for (int i = 0; i < IDS.size(); i++) {
            String json = "\"" + IDS.get(i) + "\"";
            Path log = LogFile.of(IDS.get(i)).user("to it").in(folder, "in-" + i + ".jsonl");
            Path out = folder.resolve("out-" + i + ".jsonl");

            cli.done("import", log);
            cli.done("export", "json:" + json, "-o", out);
            again.done("import", out);

            String id = ((JsonString) Json.parse(json)).value();
            assertThat(Cli.read(out).header().id().value()).isEqualTo(id);
            assertThat(Cli.read(out).events()).hasSameSizeAs(Cli.read(log).events());
            assertThat(again.done("verify", "json:" + json).out()).contains("sound, 1 event");
        }
        assertThat(again.done("list").out().lines()).hasSize(IDS.size() + 1);
        // nothing was written where an id points to
        assertThat(Files.exists(folder.resolve("etc"))).isFalse();
    }
}
