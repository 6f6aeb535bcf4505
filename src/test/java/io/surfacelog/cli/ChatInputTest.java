package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChatInputTest {

    @Test
    void a_slash_begins_a_command_and_its_argument() {
        assertThat(ChatInput.of("/explain  12 ")).isEqualTo(new ChatInput.Slash("explain", "12"));
        assertThat(ChatInput.of("/surface")).isEqualTo(new ChatInput.Slash("surface", ""));
        assertThat(ChatInput.of("/")).isEqualTo(new ChatInput.Slash("", ""));
    }

    @Test
    void an_exclamation_mark_begins_a_remark() {
        assertThat(ChatInput.of("! rather in German")).isEqualTo(new ChatInput.Steer("rather in German"));
        assertThat(ChatInput.of("!")).isEqualTo(new ChatInput.Nothing());
    }

    @Test
    void all_else_is_a_prompt_and_a_space_makes_one_of_anything() {
        assertThat(ChatInput.of("Where is it?")).isEqualTo(new ChatInput.Prompt("Where is it?"));
        assertThat(ChatInput.of(" /etc/hosts, what is it?")).isEqualTo(new ChatInput.Prompt("/etc/hosts, what is it?"));
        assertThat(ChatInput.of(" !important")).isEqualTo(new ChatInput.Prompt("!important"));
        assertThat(ChatInput.of("  ")).isEqualTo(new ChatInput.Nothing());
    }
}
