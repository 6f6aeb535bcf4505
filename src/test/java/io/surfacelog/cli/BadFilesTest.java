package io.surfacelog.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.surfacelog.transfer.ZstdFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as they come from disks, editors and crashes, plain and compressed: a clear refusal or a right answer. */
class BadFilesTest {

    @TempDir
    Path folder;

    private final String log = LogFile.of("s").user("hi").user("there").text();

    private CommandRun plain(String text) {
        return imported("plain", text.getBytes(UTF_8));
    }

    private CommandRun compressed(String text) {
        return imported("compressed", ZstdFile.of(text).bytes());
    }

    private CommandRun imported(String name, byte[] bytes) {
        try {
            Path file = Files.write(folder.resolve(name + ".jsonl"), bytes);
            return new Cli(folder.resolve(name + System.nanoTime() + ".db")).run("import", file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void bothSay(String text, String out, String err) {
        assertThat(plain(text).out()).startsWith(out);
        assertThat(plain(text).err()).contains(err);
        assertThat(compressed(text).out()).startsWith(out);
        assertThat(compressed(text).err()).contains(err);
    }

    @Test
    void zero_bytes() {
        bothSay("", "", "refused by head.record at line 1: ");
    }

    @Test
    void NUL_blocks_at_the_tail_are_torn() {
        assertThat(plain(log + "\0".repeat(4_096)).out()).isEqualTo("s: 2 events, 2 nodes\n");
        bothSay(log + "\0".repeat(4_096), "s: 2 events, 2 nodes", "torn");
        bothSay(log + "\0".repeat(4_096), "s: 2 events, 2 nodes", "kept: 2 events.");
    }

    @Test
    void NUL_blocks_in_the_middle_are_damage() {
        String[] lines = log.split("(?<=\n)", -1);

        bothSay(lines[0] + lines[1] + "\0".repeat(4_096) + lines[2], "", "refused by json.syntax at line 3: ");
        bothSay("\0".repeat(512) + log, "", "refused by json.syntax at line 1: ");
        bothSay("\0".repeat(512), "", "refused by head.record at line 1: ");
    }

    @Test
    void NUL_blocks_between_frames_are_damage() {
        byte[] frames = ZstdFile.of(log.split("(?<=\n)", -1)).bytes();
        byte[] padded = java.util.Arrays.copyOf(frames, frames.length + 512);

        assertThat(imported("padded", padded).err())
                .contains("refused by file.frame: ", "at byte " + frames.length + " of the file");
    }

    @Test
    void a_byte_order_mark() {
        bothSay("\uFEFF" + log, "", "refused by json.syntax at line 1: ");
    }

    @Test
    void carriage_returns_and_the_line_separators_of_Unicode() {
        bothSay(log.replace("\n", "\r\n"), "s: 2 events, 2 nodes\n", "");
        bothSay(log.replace("there", "a\u2028b\u2029c\u0085d"), "s: 2 events, 2 nodes\n", "");
    }

    @Test
    void an_event_of_20_MB_is_refused_by_rule_unless_the_limit_is_raised() {
        String large = LogFile.of("s").user("x".repeat(20_000_000)).text();
        bothSay(large, "", "refused by limit.event-bytes at line 2, event 0: ");

        System.setProperty("surfacelog.limits.max-event-bytes", "32MB");
        try {
            bothSay(large, "s: 1 event, 1 node\n", "");
        } finally {
            System.clearProperty("surfacelog.limits.max-event-bytes");
        }
    }

    @Test
    void a_file_is_told_by_its_bytes_and_not_by_its_name() throws IOException {
        Cli cli = Cli.in(folder);
        Path zstd = Files.write(folder.resolve("a.jsonl"), ZstdFile.of(log).bytes());
        Path plain = LogFile.of("t").user("hi").in(folder, "b.zstd");

        assertThat(cli.done("import", zstd, plain).out()).isEqualTo("s: 2 events, 2 nodes\nt: 1 event, 1 node\n");
        assertThat(CommandRun.of("check", zstd.toString()).answer().toText())
                .contains("\"ok\":true,\"events\":2", "\"keptBytes\":" + Files.size(zstd), "\"tornBytes\":0");
    }

    @Test
    void a_file_that_may_not_be_read() throws IOException {
        Path file = LogFile.of("s").in(folder);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        boolean refused = !Files.isReadable(file);
        if (!refused) {
            System.out.println("skipped: this user may read everything, as root may");
        }
        assumeTrue(refused, "this user may read everything");

        assertThat(Cli.in(folder).failed("import", file).err()).isEqualTo("The file " + file + " may not be read.\n");
    }

    @Test
    void a_folder_cannot_be_checked() {
        assertThat(CommandRun.of("check", folder.toString()).answer().toText()).contains("it is a directory");
    }
}
