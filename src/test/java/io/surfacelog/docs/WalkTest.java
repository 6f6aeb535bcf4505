package io.surfacelog.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A walk fails where a page is wrong, says where, and leaves nothing behind. */
class WalkTest {

    @TempDir
    private Path directory;

    @Test
    void a_page_is_followed_in_its_order() throws Exception {
        follow("""
                First `in/greeting.txt`:

                ```yaml walk
                hello: you
                ```

                ```sh walk
                cat in/greeting.txt
                echo "and $NAME"
                ```

                ```sh
                rm -rf in
                ```

                ```text walk
                hello: …
                and me
                ```
                """);

        assertThat(directory.resolve("in/greeting.txt")).hasContent("hello: you");
    }

    @Test
    void a_command_that_fails_is_told_with_its_place_and_what_it_printed() {
        assertThatThrownBy(() -> follow("""
                ```sh walk
                echo before
                ls no-such-file
                echo behind
                ```
                """))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("page.md:1: expected exit code 0, found 2", "before", "of: ls no-such-file");
    }

    @Test
    void what_is_printed_otherwise_than_documented_is_told() {
        assertThatThrownBy(() -> follow("""
                ```sh walk
                printf 'one\\ntwo\\nthree\\n'
                ```
                ```text walk
                two
                one
                ```
                """))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("page.md:1: expected the line: one", "three");
    }

    @Test
    void a_conversation_is_had_command_by_command_and_may_show_a_failure() throws Exception {
        follow("""
                ```console walk
                $ echo $NAME
                me
                $ cat no-such-file
                …No such file…
                ```
                """);
        assertThatThrownBy(() -> follow("""
                ```console walk
                $ echo $NAME
                you
                $ echo you
                ```
                """))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("expected the line: you", "    echo $NAME", "me");
    }

    @Test
    void a_command_without_an_end_is_stopped_with_all_it_has_started() {
        Path pid = directory.resolve("pid");

        assertThatThrownBy(() -> follow("""
                ```sh walk
                (echo $BASHPID >pid; exec sleep 1000) | cat
                ```
                """, Duration.ofSeconds(2)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("expected an end within PT2S");
        assertThat(alive(pid)).isFalse();
    }

    @Test
    void what_runs_on_is_stopped_by_the_next_one_and_at_the_end() throws Exception {
        Path first = directory.resolve("first");
        Path second = directory.resolve("second");
        try (Walk walk = walk(Duration.ofSeconds(30))) {
            walk.follow(page("""
                    ```sh walk until-stopped
                    (echo $BASHPID >first; echo ready; exec sleep 1000) | cat
                    ```
                    ```text walk
                    ready
                    ```
                    ```sh walk until-stopped
                    (echo $BASHPID >second; echo ready too; exec sleep 1000) | cat
                    ```
                    ```text walk
                    ready too
                    ```
                    """), directory);
            assertThat(alive(first)).isFalse();
            assertThat(alive(second)).isTrue();
            assertThat(walk.printed(Pattern.compile("ready (\\w+)"))).isEqualTo("too");
        }
        assertThat(alive(second)).isFalse();
    }

    @Test
    void what_was_to_run_on_and_ended_by_itself_is_told() {
        assertThatThrownBy(() -> follow("""
                ```sh walk until-stopped
                echo no room; exit 3
                ```
                ```text walk
                ready
                ```
                """))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("expected the line: ready", "no room");
    }

    @Test
    void a_misspelt_mark_and_a_page_without_any_are_told() {
        assertThatThrownBy(() -> follow("```sh wakl\ntrue\n```\n"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("page.md:1: expected no mark");
        assertThatThrownBy(() -> follow("```sh\ntrue\n```\n"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("found none");
    }

    private void follow(String page) throws Exception {
        follow(page, Duration.ofSeconds(30));
    }

    private void follow(String page, Duration bound) throws Exception {
        try (Walk walk = walk(bound)) {
            walk.follow(page(page), directory);
        }
    }

    private static Walk walk(Duration bound) {
        return new Walk(Map.of("NAME", "me"), code -> code, bound);
    }

    private Path page(String text) throws IOException {
        return Files.writeString(directory.resolve("page.md"), text);
    }

    private static boolean alive(Path pid) {
        return ProcessHandle.of(Long.parseLong(Documents.read(pid).strip()))
                .map(ProcessHandle::isAlive)
                .orElse(false);
    }
}
