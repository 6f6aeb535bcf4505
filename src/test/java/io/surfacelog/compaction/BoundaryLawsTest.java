package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.JsonText;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.UserMessage;
import io.surfacelog.surface.Finding;
import io.surfacelog.surface.StructureRule;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The boundary policy and the structure rule for replaces agree over random sessions, at every prefix. */
class BoundaryLawsTest {

    private static boolean splits(Surface surface, Span span) {
        SessionEvent replacing = SessionEvent.of(
                surface.nextSeq(),
                0,
                "user/message",
                JsonText.of(UserMessage.of("summary").json()),
                SurfaceIntent.replace(
                                surface.nodes().get(span.first()).seq(),
                                surface.nodes().get(span.last()).seq())
                        .citing(span.seqs(surface)),
                false);
        List<Finding> before = surface.findings();
        List<Finding> after = surface.plan(List.of(replacing)).after().findings();
        return after.subList(before.size(), after.size()).stream()
                .anyMatch(finding -> finding.rule() == StructureRule.PAIR_SPLIT_BY_REPLACE);
    }

    @Test
    void what_the_policy_allows_splits_no_pair() {
        AtomicInteger allowed = new AtomicInteger();
        Seeds.forEach(300, seed -> {
            Random random = new Random(seed);
            Surface surface = Surface.empty();
            for (SessionEvent event : SessionGenerator.any(seed).log()) {
                surface = surface.plan(List.of(event)).after();
                int size = surface.nodes().size();
                if (size == 0 || random.nextInt(4) != 0) {
                    continue;
                }
                BoundaryPolicy policy =
                        BoundaryPolicy.of(surface, random.nextBoolean() ? PinnedNodes.standard() : PinnedNodes.none());
                int from = random.nextInt(size);
                for (Span span : policy.spans(from, from + random.nextInt(size - from) + 1)) {
                    assertThat(splits(surface, span))
                            .as("%s of %s with %s", span, surface, policy)
                            .isFalse();
                    allowed.incrementAndGet();
                }
                int first = random.nextInt(size);
                long start = surface.nodes().get(first).seq();
                long end = surface.nodes()
                        .get(first + random.nextInt(size - first))
                        .seq();
                for (Boundary boundary : List.of(policy.checked(start, end), policy.widened(start, end))) {
                    if (boundary instanceof Boundary.Safe safe) {
                        assertThat(splits(surface, safe.span())).isFalse();
                        allowed.incrementAndGet();
                    }
                }
            }
        });
        assertThat(allowed.get()).isGreaterThan(1_000);
    }

    @Test
    void what_the_policy_forbids_for_the_sake_of_calls_would_split_a_pair_where_ids_are_used_once() {
        AtomicInteger forbidden = new AtomicInteger();
        Seeds.forEach(150, seed -> {
            Random random = new Random(seed);
            Surface surface = Surface.empty();
            for (SessionEvent event : SessionGenerator.structured(seed).log()) {
                surface = surface.plan(List.of(event)).after();
                int size = surface.nodes().size();
                if (size == 0) {
                    continue;
                }
                int first = random.nextInt(size);
                Span span = new Span(first, first + random.nextInt(size - first));
                Boundary boundary = BoundaryPolicy.of(surface, PinnedNodes.none())
                        .checked(
                                surface.nodes().get(span.first()).seq(),
                                surface.nodes().get(span.last()).seq());
                assertThat(boundary instanceof Boundary.Safe)
                        .as("%s of %s: %s", span, surface, boundary)
                        .isEqualTo(!splits(surface, span));
                forbidden.addAndGet(boundary instanceof Boundary.Unsafe ? 1 : 0);
            }
        });
        assertThat(forbidden.get()).isGreaterThan(100);
    }
}
