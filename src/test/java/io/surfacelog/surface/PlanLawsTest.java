package io.surfacelog.surface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.testing.Aside;
import io.surfacelog.testing.BrokenEvent;
import io.surfacelog.testing.LogMutator;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** Planning changes nothing, however plans branch, chain or fail. */
class PlanLawsTest {

    /** A surface with its views as they were handed out, and copies of them. */
    private record Snapshot(Surface surface, Views copy, List<SurfaceNode> nodes, List<Message> messages) {

        static Snapshot of(Surface surface) {
            return new Snapshot(surface, Views.of(surface), surface.nodes(), surface.messages());
        }

        void hasNotChanged() {
            assertThat(Views.of(surface)).isEqualTo(copy);
            assertThat(nodes.stream().map(SurfaceNode::event).toList()).isEqualTo(copy.nodes());
            assertThat(messages).isEqualTo(copy.messages());
        }
    }

    @Test
    void a_surface_and_the_lists_it_gave_out_never_change() {
        Seeds.forEach(300, seed -> {
            List<Snapshot> snapshots = new ArrayList<>();
            snapshots.add(Snapshot.of(Surface.empty()));
            for (SessionEvent event : SessionGenerator.any(seed).log()) {
                Surface last = snapshots.get(snapshots.size() - 1).surface();
                SurfaceChange change = last.plan(List.of(event));
                assertThat(change.before()).isSameAs(last);
                snapshots.add(Snapshot.of(change.after()));
            }
            snapshots.forEach(Snapshot::hasNotChanged);
        });
    }

    @Test
    void plans_that_branch_from_one_surface_do_not_see_each_other() {
        Seeds.forEach(300, seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log(30 + (int) (seed % 40));
            Snapshot base = Snapshot.of(fold(log));
            Branch left = new Branch(log, base.surface(), seed + 1);
            Branch right = new Branch(log, base.surface(), seed + 2);
            for (int i = 0; i < 20; i++) {
                left.grow();
                right.grow();
            }
            base.hasNotChanged();
            left.isTheFoldOfItsLog();
            right.isTheFoldOfItsLog();
        });
    }

    @Test
    void plans_that_branch_in_two_threads_do_not_see_each_other() {
        Seeds.forEach(200, seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log(20 + (int) (seed % 20));
            Snapshot base = Snapshot.of(fold(log));
            CyclicBarrier together = new CyclicBarrier(2);
            List<CompletableFuture<Branch>> branches = new ArrayList<>();
            for (int i = 1; i <= 2; i++) {
                Branch branch = new Branch(log, base.surface(), seed + i);
                branches.add(Aside.supply(() -> branch.growTogether(together, 30)));
            }
            branches.forEach(branch -> branch.join().isTheFoldOfItsLog());
            base.hasNotChanged();
        });
    }

    @Test
    void a_refused_event_changes_nothing_and_planning_goes_on() {
        Seeds.forEach(100, seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log(40);
            int at = Math.floorMod(seed * 13, log.size());
            Snapshot base = Snapshot.of(fold(log.subList(0, at)));
            SurfacePlanner planner = base.surface().planner(SurfaceRules.standard());
            for (BrokenEvent broken : new LogMutator(seed).breakAll(log, at)) {
                assertThatThrownBy(() -> planner.add(EventCandidate.read(broken.text(), EventLimits.defaults())))
                        .isInstanceOf(AdmissionException.class);
                assertThat(Views.of(planner.surface())).as("%s", broken).isEqualTo(base.copy());
                assertThat(planner.change().events()).isEmpty();
            }
            List<SessionEvent> rest = log.subList(at, log.size());
            rest.forEach(event -> planner.add(EventCandidate.of(event)));
            base.hasNotChanged();
            assertThat(planner.change().events()).isEqualTo(rest);
            assertThat(Views.of(planner.surface())).isEqualTo(Views.of(fold(log)));
        });
    }

    @Test
    void an_event_refused_by_structure_changes_nothing_and_planning_goes_on() {
        int[] refused = new int[1];
        Seeds.forEach(200, seed -> {
            List<SessionEvent> sound = SessionGenerator.structured(seed).log(30);
            SurfacePlanner planner = fold(sound).planner(SurfaceRules.standard().with(StructureMode.ENFORCE));
            SessionGenerator wild = SessionGenerator.wild(seed);
            sound.forEach(wild::observe);
            for (int i = 0; i < 40; i++) {
                Views before = Views.of(planner.surface());
                SessionEvent event = wild.next(planner.surface());
                Throwable refusal = catchThrowable(() -> planner.add(EventCandidate.of(event)));
                if (refusal == null) {
                    continue;
                }
                assertThat(refusal).isInstanceOf(StructureException.class);
                assertThat(Views.of(planner.surface())).isEqualTo(before);
                refused[0]++;
                wild = SessionGenerator.wild(seed + i);
                List<SessionEvent> accepted = new ArrayList<>(sound);
                accepted.addAll(planner.change().events());
                accepted.forEach(wild::observe);
            }
            assertThat(planner.surface().findings())
                    .allMatch(finding -> !fold(sound).isStructured());
        });
        assertThat(refused[0]).as("refusals").isPositive();
    }

    @Test
    void a_batch_with_one_refused_event_changes_nothing() {
        Seeds.forEach(100, seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log(40);
            BrokenEvent broken = new LogMutator(seed).breakOne(log);
            if (broken.rule().code().matches("json\\..*|limit\\..*|envelope")) {
                return; // no candidate can be made of it
            }
            Snapshot base = Snapshot.of(fold(log.subList(0, broken.at() / 2)));
            List<EventCandidate> batch = new ArrayList<>();
            log.subList(broken.at() / 2, broken.at()).forEach(event -> batch.add(EventCandidate.of(event)));
            batch.add(EventCandidate.read(broken.text(), EventLimits.defaults()));
            assertThatThrownBy(() -> base.surface().plan(batch, SurfaceRules.standard()))
                    .isInstanceOfSatisfying(AdmissionException.class, refusal -> {
                        assertThat(refusal.rule()).as("%s", broken).isEqualTo(broken.rule());
                        assertThat(refusal.at()).hasValue(broken.at());
                    });
            base.hasNotChanged();
        });
    }

    @Test
    void chained_plans_equal_one_plan_of_all() {
        Seeds.forEach(400, seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log();
            SplittableRandom random = new SplittableRandom(seed);
            Surface staged = Surface.empty();
            List<SessionEvent> events = new ArrayList<>();
            List<Finding> findings = new ArrayList<>();
            for (int from = 0; from < log.size(); ) {
                int to = Math.min(log.size(), from + random.nextInt(1, 12));
                SurfaceChange change = staged.plan(log.subList(from, to));
                events.addAll(change.events());
                findings.addAll(change.findings());
                staged = change.after();
                from = to;
            }
            SurfaceChange one = Surface.empty().plan(log);
            assertThat(events).isEqualTo(one.events()).isEqualTo(log);
            assertThat(findings).isEqualTo(one.findings()).isEqualTo(staged.findings());
            assertThat(Views.of(staged)).isEqualTo(Views.of(one.after()));
        });
    }

    private static Surface fold(List<SessionEvent> log) {
        return Surface.empty().plan(log).after();
    }

    /** One of several continuations of a log. */
    private static final class Branch {

        private final SessionGenerator generator;
        private final List<SessionEvent> log;
        private Surface surface;

        Branch(List<SessionEvent> prefix, Surface base, long seed) {
            generator = SessionGenerator.any(seed);
            prefix.forEach(generator::observe);
            log = new ArrayList<>(prefix);
            surface = base;
        }

        void grow() {
            SessionEvent event = generator.next(surface);
            surface = surface.plan(List.of(event)).after();
            log.add(event);
        }

        Branch growTogether(CyclicBarrier together, int events) {
            try {
                together.await();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            for (int i = 0; i < events; i++) {
                grow();
            }
            return this;
        }

        void isTheFoldOfItsLog() {
            assertThat(Views.of(surface)).isEqualTo(Views.of(fold(log)));
        }
    }
}
