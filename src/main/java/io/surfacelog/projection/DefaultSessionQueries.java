package io.surfacelog.projection;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.SessionPage;
import io.surfacelog.surface.Replacement;
import io.surfacelog.surface.Replacements;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.TranscriptEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Answers from the live surface where it can, from the store where it must. */
final class DefaultSessionQueries implements SessionQueries {

    private final EventStore store;
    private final SurfaceProjection projection;

    private final QueryObserver observer;

    DefaultSessionQueries(EventStore store, SurfaceProjection projection, QueryObserver observer) {
        this.store = store;
        this.projection = projection;
        this.observer = QueryObservers.contained(observer);
    }

    @Override
    public boolean exists(SessionId id) {
        return store.find(id).isPresent();
    }

    @Override
    public SessionHeader header(SessionId id) {
        return projection.header(id);
    }

    @Override
    public SessionPage list(SessionFilter filter) {
        return store.list(filter);
    }

    @Override
    public long nextSeq(SessionId id) {
        return projection.surface(id).nextSeq();
    }

    @Override
    public SessionEvent event(SessionId id, long seq) {
        List<SessionEvent> found = seq < 0
                ? List.of()
                : store.events(id, EventRange.all().from(seq).limit(1));
        if (found.isEmpty()) {
            throw new UnknownEventException(id, seq, nextSeq(id));
        }
        return found.get(0);
    }

    @Override
    public List<SessionEvent> events(SessionId id, long from, long to) {
        return store.events(id, EventRange.of(from, to));
    }

    @Override
    public List<SessionEvent> surfaceEvents(SessionId id, long from, long to) {
        return store.events(id, EventRange.of(from, to).kind(EventRange.Kind.SURFACE));
    }

    @Override
    public List<SessionEvent> tail(SessionId id, int count) {
        long nextSeq = nextSeq(id);
        return store.events(id, EventRange.of(Math.max(0, nextSeq - count), nextSeq));
    }

    @Override
    public void forEach(SessionId id, Consumer<SessionEvent> action) {
        store.forEach(id, EventRange.all(), action);
    }

    @Override
    public Surface surface(SessionId id) {
        return projection.surface(id);
    }

    @Override
    public List<Message> messages(SessionId id) {
        return observed(QueryObserver.Moment.NOW, () -> projection.surface(id).messages());
    }

    @Override
    public ModelRequest request(SessionId id) {
        return observed(QueryObserver.Moment.NOW, () -> request(projection.surface(id)));
    }

    @Override
    public Surface surfaceAsOf(SessionId id, long seq) {
        return projection.asOf(id, seq);
    }

    @Override
    public List<Message> messagesAsOf(SessionId id, long seq) {
        return observed(
                QueryObserver.Moment.AS_OF, () -> projection.asOf(id, seq).messages());
    }

    @Override
    public ModelRequest requestAsOf(SessionId id, long seq) {
        return observed(QueryObserver.Moment.AS_OF, () -> request(projection.asOf(id, seq)));
    }

    private <T> T observed(QueryObserver.Moment moment, Supplier<T> derive) {
        if (observer == QueryObserver.NONE) {
            return derive.get();
        }
        long began = System.nanoTime();
        T derived = derive.get();
        observer.derived(moment, System.nanoTime() - began);
        return derived;
    }

    private static ModelRequest request(Surface surface) {
        return new ModelRequest(surface.requestHeader(), surface.requestContext(), surface.messages());
    }

    @Override
    public List<TranscriptEntry> transcript(SessionId id) {
        List<TranscriptEntry> entries = new ArrayList<>();
        forEachSurfaceEvent(id, event -> entries.add(new TranscriptEntry(event)));
        return List.copyOf(entries);
    }

    @Override
    public List<Replacement> replacements(SessionId id) {
        Replacements fold = new Replacements();
        forEachSurfaceEvent(id, fold::add);
        return fold.found();
    }

    @Override
    public Provenance provenance(SessionId id, long seq) {
        SessionEvent event = event(id, seq);
        EventSeqs cites = event.intent().map(intent -> intent.sourcesOrNone()).orElse(EventSeqs.NONE);
        EventSeqs.Builder citedBy = EventSeqs.builder();
        Replacements fold = new Replacements();
        forEachSurfaceEvent(id, later -> {
            if (later.intent().orElseThrow().sourcesOrNone().contains(seq)) {
                citedBy.add(later.seq());
            }
            fold.add(later);
        });
        List<Replacement> replacements = fold.found();
        Optional<Replacement> replaces =
                replacements.stream().filter(one -> one.seq() == seq).findFirst();
        List<Long> chain = new ArrayList<>(List.of(seq));
        Optional<Replacement> replacedBy = Optional.empty();
        long top = seq;
        for (Replacement replacement : replacements) {
            if (replacement.shadowed().contains(top)) {
                replacedBy = replacedBy.isPresent() ? replacedBy : Optional.of(replacement);
                top = replacement.seq();
                chain.add(top);
            }
        }
        boolean onSurface = event.isSurface() && replacedBy.isEmpty();
        return new Provenance(event, cites, citedBy.build(), replaces, replacedBy, List.copyOf(chain), onSurface);
    }

    private void forEachSurfaceEvent(SessionId id, Consumer<SessionEvent> action) {
        store.forEach(id, EventRange.all().kind(EventRange.Kind.SURFACE), action);
    }

    @Override
    public Surface refresh(SessionId id) {
        return projection.refresh(id);
    }
}
