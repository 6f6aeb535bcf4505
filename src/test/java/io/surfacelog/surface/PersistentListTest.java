package io.surfacelog.surface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.testing.Aside;
import io.surfacelog.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** Versions that share their chunks behave like copies; sizes go over the chunk width, which the fold's logs do not reach. */
class PersistentListTest {

    private record Version(PersistentList<Integer> list, List<Integer> plain) {

        Version append(int item) {
            List<Integer> more = new ArrayList<>(plain);
            more.add(item);
            return new Version(list.append(item), more);
        }

        Version splice(SplittableRandom random, int item) {
            if (plain.isEmpty()) {
                return append(item);
            }
            List<Integer> copy = new ArrayList<>(plain);
            int first = random.nextInt(plain.size());
            int last = Math.min(plain.size() - 1, first + random.nextInt(random.nextInt(4) == 0 ? 700 : 3));
            switch (random.nextInt(3)) {
                case 0 -> {
                    copy.subList(first, last + 1).clear();
                    copy.add(first, item);
                    return new Version(list.replace(first, last, item), copy);
                }
                case 1 -> {
                    copy.subList(first, last + 1).clear();
                    return new Version(list.remove(first, last), copy);
                }
                default -> {
                    int at = random.nextInt(plain.size() + 1);
                    copy.add(at, item);
                    return new Version(list.insert(at, item), copy);
                }
            }
        }

        void holds() {
            assertThat(list.size()).isEqualTo(plain.size());
            assertThat(list.asList()).isEqualTo(plain);
        }
    }

    @Test
    void every_version_stays_as_it_was_made() {
        Seeds.forEach(150, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            List<Version> versions = new ArrayList<>();
            versions.add(new Version(PersistentList.empty(), List.of()));
            for (int i = 0; i < 60; i++) {
                // mostly from the newest, now and then from an older one, which makes versions branch
                int from = random.nextInt(4) == 0 ? random.nextInt(versions.size()) : versions.size() - 1;
                Version version = versions.get(from);
                for (int n = random.nextInt(random.nextInt(8) == 0 ? 600 : 12); n > 0; n--) {
                    version = version.append(random.nextInt());
                }
                versions.add(random.nextInt(3) == 0 ? version.splice(random, i) : version);
            }
            versions.forEach(Version::holds);
        });
    }

    @Test
    void the_edges_of_a_chunk_are_no_edges_of_the_list() {
        for (int size : new int[] {0, 1, 7, 8, 9, 511, 512, 513, 1023, 1024, 1025}) {
            Version version = new Version(PersistentList.empty(), List.of());
            for (int i = 0; i < size; i++) {
                version = version.append(i);
            }
            version.holds();
            PersistentList<Integer> list = version.list();
            assertThat(list.insert(size, -1).asList()).hasSize(size + 1).endsWith(-1);
            if (size > 0) {
                assertThat(list.replace(0, size - 1, -1).append(5).asList()).containsExactly(-1, 5);
                assertThat(list.remove(size - 1, size - 1).append(-1).asList())
                        .hasSize(size)
                        .endsWith(-1);
                assertThat(list.remove(0, size - 1).append(7).asList()).containsExactly(7);
            }
            version.holds();
        }
    }

    @Test
    void two_threads_that_append_to_one_version_do_not_see_each_other() {
        Seeds.forEach(300, seed -> {
            PersistentList<Integer> start = PersistentList.empty();
            for (int i = 0; i < seed % 20; i++) {
                start = start.append(i);
            }
            PersistentList<Integer> base = start;
            CyclicBarrier together = new CyclicBarrier(2);
            List<CompletableFuture<List<PersistentList<Integer>>>> branches = new ArrayList<>();
            for (int mark : new int[] {1_000, 2_000}) {
                branches.add(Aside.supply(() -> grow(base, mark, together)));
            }
            for (int branch = 0; branch < 2; branch++) {
                int mark = (branch + 1) * 1_000;
                // every version, since the last one may have moved on to a chunk of its own
                for (PersistentList<Integer> version : branches.get(branch).join()) {
                    List<Integer> own = version.asList().subList(base.size(), version.size());
                    assertThat(own).allMatch(item -> item / 1_000 * 1_000 == mark);
                }
            }
            assertThat(base.size()).isEqualTo((int) (seed % 20));
        });
    }

    private static List<PersistentList<Integer>> grow(PersistentList<Integer> base, int mark, CyclicBarrier together) {
        try {
            together.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        List<PersistentList<Integer>> versions = new ArrayList<>();
        PersistentList<Integer> list = base;
        for (int i = 0; i < 50; i++) {
            list = list.append(mark + i);
            versions.add(list);
        }
        return versions;
    }

    @Test
    void its_view_cannot_be_changed_and_ends_where_the_version_does() {
        PersistentList<Integer> one = PersistentList.<Integer>empty().append(1);
        one.append(2);
        List<Integer> view = one.asList();
        assertThatThrownBy(() -> view.add(3)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> view.set(0, 3)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> view.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> view.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
