package io.surfacelog.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.Drafts;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.StoreSuite;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoredCommit;
import io.surfacelog.testing.Aside;
import io.surfacelog.testing.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whoever starts, stops and resumes at any place, while two processes write as fast as they can, hears each event once and
 * in order: what a replay would give.
 */
class SubscriptionLawsTest extends StoreSuite {

    private static final int SESSIONS = 3;
    private static final int BATCHES = 60;

    @Test
    void a_subscriber_that_stops_and_resumes_anywhere_hears_each_event_once_and_in_order() {
        Seeds.forEach(6, this::run);
    }

    private void run(long seed) {
        StreamSettings settings =
                new StreamSettings(seed % 2 == 0 ? 4 : 64, Duration.ofMillis(1 + seed % 3), Duration.ofSeconds(5));
        CommandStack here = start(CommandStack.on(store()).stream(settings));
        CommandStack there = start(CommandStack.on(storeOfAnotherProcess()).stream(settings));
        long before = store().lastPosition();
        List<SessionId> ids = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            ids.add(here.commands.create(header("s" + seed + "-" + i)));
        }
        List<CompletableFuture<Void>> writers = List.of(
                writer(here, ids, new SplittableRandom(seed * 10)),
                writer(there, ids, new SplittableRandom(seed * 10 + 1)));
        AtomicReference<List<CompletableFuture<Void>>> done = new AtomicReference<>(writers);
        List<CompletableFuture<List<SessionEventCommitted>>> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            SplittableRandom random = new SplittableRandom(seed * 100 + i);
            SessionId one = i == 0 ? null : ids.get(i);
            CommandStack stack = i == 2 ? there : here;
            readers.add(Aside.supply(() -> listen(stack, one, before, random, done.get())));
        }
        writers.forEach(CompletableFuture::join);
        List<SessionEventCommitted> expected = replay(store(), before);
        assertThat(readers.get(0).join()).isEqualTo(expected);
        for (int i = 1; i < 3; i++) {
            SessionId one = ids.get(i);
            assertThat(readers.get(i).join())
                    .isEqualTo(expected.stream()
                            .filter(event -> event.session().equals(one))
                            .toList());
        }
    }

    private static CompletableFuture<Void> writer(CommandStack stack, List<SessionId> ids, SplittableRandom random) {
        return Aside.run(() -> {
            List<CompletableFuture<?>> all = new ArrayList<>();
            for (int batch = 0; batch < BATCHES; batch++) {
                List<EventDraft> drafts = new ArrayList<>();
                for (int i = random.nextInt(1, 6); i > 0; i--) {
                    drafts.add(Drafts.say("m" + random.nextInt()));
                }
                SessionId id = ids.get(random.nextInt(ids.size()));
                all.add(stack.commands.appendAllAsync(id, drafts));
                if (random.nextInt(4) == 0) {
                    all.forEach(CompletableFuture::join);
                    all.clear();
                }
            }
            all.forEach(CompletableFuture::join);
        });
    }

    /** Subscribes, hears a few events, stops at any of them, and goes on where it stopped, until all has been heard. */
    private List<SessionEventCommitted> listen(
            CommandStack stack,
            @Nullable SessionId one,
            long before,
            SplittableRandom random,
            List<CompletableFuture<Void>> writers) {
        List<SessionEventCommitted> heard = new CopyOnWriteArrayList<>();
        StreamPosition position = StreamPosition.after(before);
        while (!isComplete(one, before, heard.size(), writers)) {
            StreamRequest request = (one == null ? StreamRequest.all() : StreamRequest.of(one)).after(position);
            if (random.nextInt(3) == 0) {
                request = request.whenSlow(WhenSlow.DISCONNECT).buffer(random.nextInt(1, 4));
            }
            int most = heard.size() + random.nextInt(1, 40);
            CompletableFuture<Void> stop = new CompletableFuture<>();
            StreamSubscription subscription = stack.stream.subscribe(request, event -> {
                if (stop.isDone()) {
                    throw new IllegalStateException("on purpose");
                }
                heard.add(event);
                if (heard.size() == most) {
                    stop.complete(null);
                }
            });
            Bounded.until(() ->
                    stop.isDone() || subscription.ended().isDone() || isComplete(one, before, heard.size(), writers));
            subscription.close();
            assertThat(subscription.ended()).isDone();
            position = subscription.position();
            assertThat(position)
                    .isEqualTo(
                            heard.isEmpty()
                                    ? StreamPosition.after(before)
                                    : heard.get(heard.size() - 1).streamPosition());
            position = StreamPosition.parse(position.toString());
        }
        return heard;
    }

    private boolean isComplete(@Nullable SessionId one, long before, int heard, List<CompletableFuture<Void>> writers) {
        return writers.stream().allMatch(CompletableFuture::isDone)
                && heard
                        >= (one == null
                                ? replay(store(), before).size()
                                : store().find(one).orElseThrow().nextSeq());
    }

    /** What the stream has to be, read from the store by the simplest means. */
    static List<SessionEventCommitted> replay(EventStore store, long before) {
        return store.commits(before, Integer.MAX_VALUE).stream()
                .flatMap(commit -> events(store, commit).stream()
                        .map(event -> new SessionEventCommitted(commit.session(), commit.position(), event)))
                .collect(Collectors.toList());
    }

    private static List<SessionEvent> events(EventStore store, StoredCommit commit) {
        return store.events(commit.session(), EventRange.of(commit.from(), commit.to()));
    }
}
