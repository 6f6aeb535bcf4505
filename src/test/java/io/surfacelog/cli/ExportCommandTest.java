package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportCommandTest {

    @TempDir
    Path folder;

    private Cli cli;
    private Path target;

    @BeforeEach
    void import_a_session() {
        cli = Cli.in(folder);
        cli.done("import", LogFile.of("s", ShowCommandTest.log()).in(folder));
        target = folder.resolve("out").resolve("s.jsonl");
    }

    private List<Path> written() throws IOException {
        try (Stream<Path> files = Files.list(target.getParent())) {
            return files.toList();
        }
    }

    @Test
    void goes_to_standard_output_unless_a_file_is_named() throws IOException {
        Files.createDirectories(target.getParent());
        CommandRun printed = cli.done("export", "s");

        CommandRun filed = cli.done("export", "s", "-o", target);

        assertThat(filed.out()).isEmpty();
        assertThat(target).hasContent(printed.out());
        assertThat(printed.out().lines().toList().get(4))
                .isEqualTo("{\"type\":\"text-chunks\",\"seq0\":3,\"time0\":"
                        + ShowCommandTest.log().get(3).time()
                        + ",\"data\":{\"turn\":1,\"step\":1,\"index\":0,\"dt\":[" + gap(3) + "," + gap(4)
                        + "],\"texts\":[\"an\",\"sw\",\"er\"]}}");
        assertThat(written()).containsExactly(target);
    }

    private static long gap(int seq) {
        return ShowCommandTest.log().get(seq + 1).time()
                - ShowCommandTest.log().get(seq).time();
    }

    @Test
    void a_file_that_is_there_is_replaced_only_if_asked() throws IOException {
        Files.createDirectories(target.getParent());
        LogFile.write(target, "mine");

        assertThat(cli.failed("export", "s", "--output", target).err())
                .isEqualTo("The file " + target + " is there already; --force replaces it.\n");
        assertThat(target).hasContent("mine");
        cli.done("export", "s", "--output", target, "--force");

        assertThat(target).hasContent(cli.done("export", "s").out());
        assertThat(written()).containsExactly(target);
    }

    @Test
    void the_file_that_a_link_leads_to_is_replaced_and_the_link_stays() throws IOException {
        Files.createDirectories(target.getParent());
        LogFile.write(target, "mine");
        Path link = Files.createSymbolicLink(folder.resolve("link"), target);

        cli.done("export", "s", "--output", link, "--force");

        assertThat(link).isSymbolicLink();
        assertThat(target).hasContent(cli.done("export", "s").out());
    }

    @Test
    void a_place_that_cannot_be_written_is_named() throws IOException {
        assertThat(cli.failed("export", "s", "--output", target).err())
                .isEqualTo("The file " + target + " cannot be written: its directory is not there.\n");
        assertThat(cli.failed("export", "s", "--output", folder, "--force").err())
                .isEqualTo("The file " + folder + " cannot be written: it is a directory.\n");
        assertThat(cli.run("export", "s", "--force").exitCode()).isEqualTo(2);
    }

    @Test
    void a_session_that_is_not_there_leaves_no_file() throws IOException {
        Files.createDirectories(target.getParent());

        cli.failed("export", "none", "--output", target);

        assertThat(written()).isEmpty();
    }
}
