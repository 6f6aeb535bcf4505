package io.surfacelog.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A list of seqs held as runs behaves like the plain list. */
class EventSeqsLawsTest {

    /** Runs up and down, gaps, and now and then a seq again. */
    private static long[] seqs(SplittableRandom random) {
        List<Long> seqs = new ArrayList<>();
        int runs = random.nextInt(random.nextInt(8) == 0 ? 60 : 6);
        for (int i = 0; i < runs; i++) {
            long first = random.nextInt(random.nextBoolean() ? 60 : 100_000);
            for (int n = random.nextInt(1, 6); n > 0; n--) {
                seqs.add(first++);
            }
        }
        return seqs.stream().mapToLong(Long::longValue).toArray();
    }

    @Test
    void it_holds_what_was_put_in_in_that_order() {
        Seeds.forEach(2000, seed -> {
            long[] plain = seqs(new SplittableRandom(seed));
            EventSeqs seqs = EventSeqs.of(plain);
            assertThat(seqs.toArray()).isEqualTo(plain);
            assertThat(seqs.stream().toArray()).isEqualTo(plain);
            assertThat(seqs.size()).isEqualTo(plain.length);
            assertThat(seqs.isEmpty()).isEqualTo(plain.length == 0);
            assertThat(seqs.max()).isEqualTo(Arrays.stream(plain).max());
            List<Long> visited = new ArrayList<>();
            seqs.forEach(visited::add);
            assertThat(visited).isEqualTo(Arrays.stream(plain).boxed().toList());
            assertThat(seqs.toJson().toText()).isEqualTo(visited.toString().replace(" ", ""));
        });
    }

    @Test
    void it_comes_back_from_its_text() {
        Seeds.forEach(2000, seed -> {
            EventSeqs seqs = EventSeqs.of(seqs(new SplittableRandom(seed)));
            assertThat(EventSeqs.parse(seqs.toText())).isEqualTo(seqs).hasSameHashCodeAs(seqs);
        });
    }

    @Test
    void the_text_has_ranges_for_three_and_more() {
        assertThat(EventSeqs.of(5, 3, 10, 11, 12).toText()).isEqualTo("5,3,10-12");
        assertThat(EventSeqs.of(1, 2).toText()).isEqualTo("1,2");
        assertThat(EventSeqs.of(3, 2, 1).toText()).isEqualTo("3,2,1");
        assertThat(EventSeqs.NONE.toText()).isEmpty();
        assertThat(EventSeqs.parse("5-6,7")).isEqualTo(EventSeqs.range(5, 7));
        assertThat(EventSeqs.of(0, JsonNumber.MAX_SAFE).toText()).isEqualTo("0,9007199254740991");
    }

    @Test
    void text_that_is_no_list_of_seqs_is_refused() {
        for (String text : List.of("-1", "3-1", "a", "1,,2", "1,", "1-2-3", "9007199254740992", "1 ,2")) {
            assertThatThrownBy(() -> EventSeqs.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void the_same_seqs_are_equal_however_they_were_put_together() {
        Seeds.forEach(1000, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            long[] plain = seqs(random);
            int cut = random.nextInt(plain.length + 1);
            EventSeqs joined = EventSeqs.of(Arrays.copyOf(plain, cut))
                    .and(EventSeqs.of(Arrays.copyOfRange(plain, cut, plain.length)));
            EventSeqs oneByOne = EventSeqs.NONE;
            for (long seq : plain) {
                oneByOne = oneByOne.and(seq);
            }
            assertThat(joined)
                    .isEqualTo(EventSeqs.of(plain))
                    .isEqualTo(oneByOne)
                    .hasSameHashCodeAs(oneByOne);
            assertThat(joined.and(plain.length)).isNotEqualTo(joined);
        });
    }

    @Test
    void a_duplicate_is_found_exactly_where_there_is_one() {
        int[] found = new int[2];
        Seeds.forEach(5000, seed -> {
            long[] plain = seqs(new SplittableRandom(seed));
            Set<Long> twice = new HashSet<>();
            Set<Long> once = new HashSet<>();
            for (long seq : plain) {
                if (!once.add(seq)) {
                    twice.add(seq);
                }
            }
            OptionalLong duplicate = EventSeqs.of(plain).duplicate();
            assertThat(duplicate.isPresent()).as(Arrays.toString(plain)).isEqualTo(!twice.isEmpty());
            duplicate.ifPresent(seq -> assertThat(twice).contains(seq));
            found[duplicate.isPresent() ? 1 : 0]++;
        });
        assertThat(found).as("lists without and with a duplicate").doesNotContain(0);
    }

    @Test
    void the_first_missing_seq_is_the_first_that_the_list_lacks() {
        Seeds.forEach(3000, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            long[] plain = seqs(random);
            long[] wanted = LongStream.concat(
                            Arrays.stream(plain).filter(seq -> random.nextInt(3) > 0),
                            random.longs(random.nextInt(3), 0, 70))
                    .toArray();
            EventSeqs seqs = EventSeqs.of(plain);
            List<Long> held = Arrays.stream(plain).boxed().toList();
            assertThat(seqs.firstMissing(wanted))
                    .isEqualTo(Arrays.stream(wanted)
                            .filter(seq -> !held.contains(seq))
                            .findFirst());
            for (long seq : wanted) {
                assertThat(seqs.contains(seq)).isEqualTo(held.contains(seq));
            }
        });
    }
}
