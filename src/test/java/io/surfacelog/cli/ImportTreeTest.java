package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.surfacelog.event.EventLimits;
import io.surfacelog.testing.SharedFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder of logs: a verdict for each file, and none hides another. */
class ImportTreeTest {

    @TempDir
    Path folder;

    private Path tree;
    private Cli cli;

    @BeforeEach
    void make_a_folder() throws IOException {
        tree = Files.createDirectory(folder.resolve("tree"));
        cli = Cli.in(folder);
    }

    private Path session(String project, String name) throws IOException {
        return Files.createDirectories(tree.resolve(project).resolve(name));
    }

    @Test
    void every_log_file_at_any_depth_is_imported_and_counted() throws IOException {
        Path one = LogFile.of("one").user("hi").in(session("a", "one"), "session.jsonl");
        Path two = LogFile.of("two").user("hi").in(session("a/b/c", "x"), "two.jsonl");
        LogFile.write(tree.resolve("README.md"), "no log");

        CommandRun run = cli.done("import", tree);

        assertThat(run.out())
                .isEqualTo(two + ": two: 1 event, 1 node\n" + one + ": one: 1 event, 1 node\n"
                        + "imported 2 of 2 log files, refused 0, passed over 1 other file\n");
    }

    @Test
    void a_bad_file_hides_none() throws IOException {
        LogFile.of("a").user("hi").in(session("p", "a"), "session.jsonl");
        Path bad = LogFile.of("b").user("hi").line("{}").in(session("p", "b"), "session.jsonl");
        Path empty = LogFile.write(session("p", "c").resolve("session.jsonl"), "");
        LogFile.of("d").user("hi").in(session("p", "d"), "session.jsonl");

        CommandRun run = cli.run("import", tree);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(2);
        assertThat(run.err()).contains(bad + ": refused by envelope at line 3", empty + ": refused by head.record");
        assertThat(run.out()).endsWith("imported 2 of 4 log files, refused 2\n");
        assertThat(cli.done("list").out()).contains("  a\n", "  d\n");
    }

    @Test
    void B39_an_id_met_twice_and_one_that_is_not_its_folder_s_are_named_with_both_paths() {
        Path cases = SharedFolder.bugCases().resolve("B39");
        LogFile.of("sound").user("hi").in(tree, "sound.jsonl");

        CommandRun run = cli.run("import", cases, tree);

        String a = cases.resolve("--work-a--/same-id/session.jsonl").toString();
        String b = cases.resolve("--work-b--/same-id/session.jsonl").toString();
        Path outer = cases.resolve("--work-demo--/outer-id");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines())
                .containsExactly(
                        a + ": session same-id is there twice, also in " + b + "; nothing of it was imported.",
                        b + ": session same-id is there twice, also in " + a + "; nothing of it was imported.",
                        outer.resolve("session.jsonl") + ": the log of session inner-id, but stored in "
                                + outer.toAbsolutePath().normalize()
                                + ", which is named as if it were session outer-id; nothing of it was imported.");
        assertThat(run.out()).endsWith("imported 1 of 4 log files, refused 3\n");
    }

    @Test
    void B50_versions_and_encodings_side_by_side_are_named_and_not_mixed() {
        Path cases = SharedFolder.bugCases().resolve("B50").resolve("--work-demo--");

        CommandRun run = cli.run("import", cases);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(4);
        assertThat(run.err())
                .contains(
                        cases.resolve("g/session.jsonl") + ": one of several files of one session side by side, with "
                                + cases.resolve("g/session.v3.jsonl"),
                        cases.resolve("g/session.v3.jsonl") + ": refused by head.version, expected version 0, found 3",
                        cases.resolve("z/session.jsonl") + ": one of several files of one session side by side, with "
                                + cases.resolve("z/session.jsonl.zstd"));
        assertThat(run.out()).isEqualTo("imported 0 of 4 log files, refused 4\n");
        assertThat(cli.files()).isEmpty();
    }

    @Test
    void a_file_that_a_folder_leaves_unclear_can_be_named_itself() {
        Path file = SharedFolder.bugCases().resolve("B50/--work-demo--/z/session.jsonl.zstd");
        Path other = SharedFolder.bugCases().resolve("B50/--work-demo--/z/session.jsonl");

        cli.done("import", file, "--as", "zstd");
        cli.done("import", other, "--as", "plain");
    }

    @Test
    void two_encodings_under_names_of_their_own_are_one_session_twice() throws IOException {
        LogFile.of("s").user("hi").in(tree, "s.jsonl");
        cli.done("import", tree);
        cli.done("export", "s", "-o", tree.resolve("s.zstd"));

        CommandRun run = new Cli(folder.resolve("other.db")).run("import", tree);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(2).allMatch(line -> line.contains("session s is there twice"));
    }

    @Test
    void links_are_not_followed_so_that_a_loop_ends() throws IOException {
        LogFile.of("a").user("hi").in(session("p", "a"), "session.jsonl");
        Files.createSymbolicLink(tree.resolve("p/loop"), tree);
        Files.createSymbolicLink(tree.resolve("p/a/again"), tree.resolve("p"));
        Files.createSymbolicLink(tree.resolve("gone.jsonl"), tree.resolve("nowhere"));

        assertThat(cli.done("import", tree).out())
                .endsWith("imported 1 of 1 log file, refused 0, did not follow 3 links\n");
    }

    @Test
    void a_folder_that_is_a_link_is_looked_into() throws IOException {
        LogFile.of("a").user("hi").in(tree, "a.jsonl");
        Path link = Files.createSymbolicLink(folder.resolve("link"), tree);

        assertThat(cli.done("import", link).out()).startsWith(link.resolve("a.jsonl") + ": a: 1 event");
    }

    @Test
    void a_folder_and_a_file_that_may_not_be_read_are_named() throws IOException {
        LogFile.of("a").user("hi").in(tree, "a.jsonl");
        Path closed = Files.createDirectory(tree.resolve("closed"));
        Path secret = LogFile.of("b").user("hi").in(tree, "b.jsonl");
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
        try {
            boolean refused = !Files.isReadable(secret);
            if (!refused) {
                System.out.println("skipped: this user may read everything, as root may");
            }
            assumeTrue(refused, "this user may read everything");

            CommandRun run = cli.run("import", tree);

            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err()).contains(secret + " may not be read", closed + " may not be read");
            assertThat(run.out()).endsWith("imported 1 of 2 log files, refused 1, could not read 1 folder or file\n");
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    void a_folder_and_a_file_that_have_gone_since_they_were_found_are_named() throws IOException {
        Path file = LogFile.of("a").user("hi").in(tree, "a.jsonl");
        LogTree found = LogTree.of(tree);
        Files.delete(file);
        LogTree gone = LogTree.of(tree.resolve("gone"));
        java.io.ByteArrayOutputStream err = new java.io.ByteArrayOutputStream();
        Console console = new Console(
                java.io.InputStream.nullInputStream(),
                new java.io.PrintStream(java.io.OutputStream.nullOutputStream()),
                new java.io.PrintStream(err, true));

        try (ImportTarget target = new ImportTarget(new Database())) {
            FileImport files = new FileImport(console, target, new FileImport.Options(null, false, false, false));
            assertThat(new TreeImport(console, files, EventLimits.defaults(), List.of(found, gone)).run())
                    .isFalse();
        }

        assertThat(err.toString(java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo("There is no file " + file + ".\nThere is no file " + tree.resolve("gone") + ".\n");
    }

    @Test
    void an_empty_folder_has_nothing_to_import() {
        assertThat(cli.done("import", tree).out()).isEqualTo("imported 0 of 0 log files, refused 0\n");
        assertThat(cli.files()).isEmpty();
        assertThat(cli.run("import", tree, "--as", "s").exitCode()).isEqualTo(2);
    }

    @Test
    void many_files_are_imported_one_by_one() throws IOException {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            String id = String.format("s%04d", i);
            ids.add(id);
            LogFile.of(id).in(session("p" + i % 7, id), "session.jsonl");
        }

        assertThat(cli.done("import", tree).out()).endsWith("imported 1000 of 1000 log files, refused 0\n");

        assertThat(cli.done("list", "--limit", 2_000).out()).contains(ids);
        assertThat(cli.run("import", tree).out()).isEqualTo("imported 0 of 1000 log files, refused 1000\n");
    }
}
