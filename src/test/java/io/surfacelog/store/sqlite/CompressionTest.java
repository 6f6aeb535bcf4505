package io.surfacelog.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.testing.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CompressionTest {

    private final Compression compression = new Compression(Dictionary.ofThisVersion());

    @Test
    void any_bytes_come_back_from_their_block() {
        Seeds.forEach(500, seed -> {
            byte[] plain = bytes(new SplittableRandom(seed));
            byte[] block = compression.block(plain);
            assertThat(Compression.isBlock(block)).isTrue();
            assertThat(compression.plain(block)).isEqualTo(plain);
            assertThat(block.length).isLessThanOrEqualTo(plain.length + 1);
        });
    }

    @Test
    void what_does_not_become_shorter_stays_as_it_is() {
        byte[] noise = new byte[5_000];
        new SplittableRandom(1).nextBytes(noise);
        assertThat(compression.compressed(noise)).isNull();
        assertThat(compression.compressed("{\"turn\":1,\"step\":1}".getBytes(UTF_8)))
                .isNull();
        assertThat(compression.compressed("a".repeat(5_000).getBytes(UTF_8))).hasSizeLessThan(100);
    }

    @Test
    void json_is_no_block() {
        for (String json : new String[] {"{}", "[]", "\"\"", "1", "-1", "null", "true", "false"}) {
            assertThat(Compression.isBlock(json.getBytes(UTF_8))).as(json).isFalse();
        }
    }

    @Test
    void other_bytes_are_refused() {
        byte[] block = compression.block("a".repeat(5_000).getBytes(UTF_8));
        for (int cut = 0; cut < block.length; cut++) {
            byte[] part = java.util.Arrays.copyOf(block, cut);
            assertThatThrownBy(() -> compression.plain(part)).isInstanceOf(IllegalArgumentException.class);
        }
        byte[] unknown = {2, 1, 1};
        assertThatThrownBy(() -> compression.plain(unknown)).hasMessageContaining("kind 2");
    }

    @Test
    void the_dictionary_is_the_one_that_our_samples_give() {
        assertThat(Dictionary.ofThisVersion()).isEqualTo(DictionaryMaker.dictionary());
    }

    private static byte[] bytes(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(20_000)];
        int alphabet = 1 + random.nextInt(256);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) random.nextInt(alphabet);
        }
        return bytes;
    }
}
