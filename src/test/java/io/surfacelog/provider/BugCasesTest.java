package io.surfacelog.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.surface.Surface;
import io.surfacelog.testing.SharedFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults that others have reported, as their requests. */
class BugCasesTest {

    @TempDir
    Path folder;

    private RenderedRequest request(Provider provider, String name) throws IOException {
        List<Surface> prefixes = new ArrayList<>();
        Logs.prefixes(SharedFolder.bugCases().resolve(name + ".jsonl"), folder, prefixes::add);
        Surface surface = prefixes.get(prefixes.size() - 1);
        return ProviderAssertions.sound(provider, surface.requestHeader(), surface.messages());
    }

    @ParameterizedTest
    @EnumSource
    void B12_a_result_whose_call_was_compacted_away_is_no_tool_message(Provider provider) throws IOException {
        RenderedRequest request = request(provider, "B12");

        assertThat(request.body().toText())
                .doesNotContain("\"tool\"", "tool_result")
                .contains("ok");
        assertThat(Chat.rules(request)).contains("result.orphan@1");
    }

    @ParameterizedTest
    @EnumSource
    void B15_every_call_of_a_broken_off_step_has_one_result(Provider provider) throws IOException {
        RenderedRequest request = request(provider, "B15");

        assertThat(request.body().toText().split("no result of this tool call", -1))
                .hasSize(3);
        assertThat(Chat.rules(request))
                .filteredOn(rule -> rule.equals("result.missing@1"))
                .hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void B18_an_assistant_message_that_says_nothing_is_left_out(Provider provider) throws IOException {
        RenderedRequest request = request(provider, "B18");

        assertThat(request.body().toText()).doesNotContain("assistant").contains("go", "again");
        assertThat(Chat.rules(request)).contains("message.blank@2");
    }

    @ParameterizedTest
    @EnumSource
    void B28_a_tool_name_with_NULs_is_mapped_and_told(Provider provider) throws IOException {
        RenderedRequest request = request(provider, "B28");

        assertThat(request.toolNames()).containsValue("apply\0\0patch");
        assertThat(request.toolNames().keySet()).allMatch(name -> name.matches("apply__patch_[0-9a-f]{10}"));
        assertThat(Chat.rules(request)).contains("name.mapped@-1");
    }
}
