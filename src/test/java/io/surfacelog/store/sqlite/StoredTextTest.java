package io.surfacelog.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.store.SampleLogs;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StoredTextTest {

    @Test
    void every_text_comes_back_and_no_two_share_a_stored_form() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<String, String> textOf = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            String text = SampleLogs.oddText(random);
            String stored = StoredText.encode(text);
            assertThat(StoredText.decode(stored)).as("seed %d", seed).isEqualTo(text);
            String other = textOf.putIfAbsent(stored, text);
            assertThat(other == null ? text : other).as("seed %d", seed).isEqualTo(text);
        }
    }

    @Test
    void every_text_of_one_and_two_units_near_the_edges_survives_utf8() {
        char[] edges = {
            0, 1, '"', '\\', 'a', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFD,
            0xFFFF
        };
        for (char first : edges) {
            for (char second : edges) {
                String text = "" + first + second;
                byte[] inTheFile = StoredText.encode(text).getBytes(StandardCharsets.UTF_8);
                assertThat(inTheFile).doesNotContain(0);
                assertThat(StoredText.decode(new String(inTheFile, StandardCharsets.UTF_8)))
                        .isEqualTo(text);
            }
        }
    }

    @Test
    void an_ordinary_text_is_stored_as_it_is() {
        assertThat(StoredText.encode("turn/start")).isEqualTo("turn/start");
        assertThat(StoredText.encode("")).isEmpty();
        assertThat(StoredText.encode("smile \ud83d\ude00")).isEqualTo("smile \ud83d\ude00");
        assertThat(StoredText.encode("\"a\"")).isEqualTo("\"\\\"a\\\"\"");
        assertThat(StoredText.encode("\ud800")).isEqualTo("\"\\ud800\"");
    }
}
