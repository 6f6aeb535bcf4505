package io.surfacelog.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TextRunTest {

    @Test
    void any_texts_come_back_as_they_were() {
        Seeds.forEach(2_000, seed -> {
            List<String> texts = texts(new SplittableRandom(seed));
            assertThat(TextRun.decode(TextRun.encode(bytes(texts)), texts.size()))
                    .isEqualTo(texts);
        });
    }

    @Test
    void what_alike_texts_share_is_there_once() {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            texts.add("{\"turn\":1,\"step\":1,\"chunk\":{\"type\":\"text-delta\",\"index\":0,\"text\":\"" + i + "\"}}");
        }
        texts.add(0, "{\"turn\":1,\"step\":1,\"chunk\":{\"type\":\"block-start\",\"index\":0,\"blockType\":\"text\"}}");
        byte[] run = TextRun.encode(bytes(texts));
        assertThat(TextRun.decode(run, 51)).isEqualTo(texts);
        assertThat(run).hasSizeLessThan(400);
    }

    @Test
    void another_number_of_texts_is_refused() {
        byte[] run = TextRun.encode(bytes(List.of("ab", "ac", "x")));
        for (int count : new int[] {1, 2, 4}) {
            assertThatThrownBy(() -> TextRun.decode(run, count)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void bytes_that_are_no_run_are_refused_or_give_other_texts_but_never_fail_otherwise() {
        Seeds.forEach(300, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            List<String> texts = texts(random);
            byte[] run = TextRun.encode(bytes(texts));
            run[random.nextInt(run.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                assertThat(TextRun.decode(run, texts.size())).hasSameSizeAs(texts);
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageContaining("expected");
            }
        });
    }

    private static List<byte[]> bytes(List<String> texts) {
        return texts.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
    }

    private static List<String> texts(SplittableRandom random) {
        List<String> texts = new ArrayList<>();
        String head = "";
        for (int i = 1 + random.nextInt(40); i > 0; i--) {
            if (random.nextInt(6) == 0) {
                head = text(random, 30);
            }
            texts.add(head + text(random, 12) + (random.nextBoolean() ? head : ""));
        }
        return texts;
    }

    private static String text(SplittableRandom random, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most); i > 0; i--) {
            text.appendCodePoint(random.nextInt(8) == 0 ? 0x80 + random.nextInt(0xD700) : 'a' + random.nextInt(3));
        }
        return text.toString();
    }
}
