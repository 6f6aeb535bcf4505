package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.UserMessage;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.StoredSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
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

    @Test
    void zstandard_frames_are_written_if_asked_or_if_the_name_says_so_and_hold_the_same() throws IOException {
        Files.createDirectories(target.getParent());
        cli.done("export", "s", "-o", target);
        Path named = target.resolveSibling("s.jsonl.ZSTD");
        Path asked = target.resolveSibling("plain-name");

        cli.done("export", "s", "-o", named);
        cli.done("export", "s", "-o", asked, "--zstd");

        assertThat(asked).hasSameBinaryContentAs(named);
        assertThat(Files.readAllBytes(named)).startsWith(0x28, 0xB5, 0x2F, 0xFD);
        assertThat(texts(named)).isEqualTo(texts(target));
        Cli other = new Cli(folder.resolve("other.db"));
        other.done("import", asked);
        assertThat(other.done("export", "s").out()).isEqualTo(Files.readString(target));
        assertThat(written()).hasSize(3);
    }

    @Test
    void what_is_appended_while_it_runs_is_left_out() throws IOException {
        Path exported = folder.resolve("exported.jsonl");
        try (Standalone store = Standalone.open(cli.database(), IfAbsent.REFUSE)) {
            StoredSession seen = store.store().find(SessionId.of("s")).orElseThrow();
            SurfaceIntent append = SurfaceIntent.append();
            store.commands().append(seen.id(), UserMessage.of("too late"), append);

            ExportCommand.write(store.store(), seen, false, Files.newOutputStream(exported));

            assertThat(Cli.read(exported).events()).hasSize((int) seen.nextSeq());
        }
    }

    @Test
    void beside_a_writer_it_is_a_prefix_of_the_log() throws Exception {
        try (Standalone store = Standalone.open(cli.database(), IfAbsent.REFUSE)) {
            SessionId id = SessionId.of("s");
            AtomicBoolean enough = new AtomicBoolean();
            Thread writer = new Thread(() -> {
                while (!enough.get()) {
                    store.commands().append(id, UserMessage.of("more"), SurfaceIntent.append());
                }
            });
            writer.start();
            List<List<String>> exports = new ArrayList<>();
            List<Long> atLeast = new ArrayList<>();
            try {
                for (int i = 0; i < 8; i++) {
                    atLeast.add(store.queries().nextSeq(id));
                    Path exported = folder.resolve("live-" + i + (i % 2 == 0 ? ".jsonl" : ".zstd"));
                    cli.done("export", "s", "-o", exported);
                    exports.add(texts(exported));
                }
            } finally {
                enough.set(true);
                writer.join();
            }
            List<String> all = store.store().events(id, EventRange.all()).stream()
                    .map(SessionEvent::toText)
                    .toList();
            for (int i = 0; i < exports.size(); i++) {
                assertThat(exports.get(i))
                        .hasSizeGreaterThanOrEqualTo(atLeast.get(i).intValue());
                assertThat(exports.get(i))
                        .isEqualTo(all.subList(0, exports.get(i).size()));
            }
            assertThat(all.size()).isGreaterThan(exports.get(0).size());
        }
    }

    private static List<String> texts(Path file) {
        return RoundTripTest.texts(Cli.read(file).events());
    }
}
