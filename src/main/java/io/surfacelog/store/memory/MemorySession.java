package io.surfacelog.store.memory;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.KeyedAppend;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.store.StoredCheckpoint;
import io.surfacelog.store.StoredLease;
import io.surfacelog.store.StoredSession;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One session and its log. Guarded by the lock of the store. */
final class MemorySession {

    private final SessionHeader header;
    private final String id;
    private final long ordinal;
    private final List<SessionEvent> log = new ArrayList<>();
    private final List<SessionEvent> surface = new ArrayList<>();
    private final List<SessionEvent> notChunks = new ArrayList<>();
    private final Map<String, KeyedAppend> keys = new HashMap<>();
    private final Map<LeasePurpose, StoredLease> leases = new EnumMap<>(LeasePurpose.class);
    private final List<MemoryPart> inherited;
    private @Nullable StoredCheckpoint checkpoint;

    MemorySession(SessionHeader header, long ordinal) {
        this(header, ordinal, List.of());
    }

    private MemorySession(SessionHeader header, long ordinal, List<MemoryPart> inherited) {
        this.header = header;
        this.id = header.id().value();
        this.ordinal = ordinal;
        this.inherited = List.copyOf(inherited);
    }

    /** A session that begins with the first events of this one, and with its checkpoint if that is among them. */
    MemorySession fork(SessionHeader child, long childOrdinal, long prefix) {
        List<MemoryPart> parts = new ArrayList<>();
        for (MemoryPart part : parts()) {
            if (part.from() < Math.min(part.to(), prefix)) {
                parts.add(new MemoryPart(part.owner(), part.ownerId(), part.from(), Math.min(part.to(), prefix)));
            }
        }
        MemorySession fork = new MemorySession(child, childOrdinal, parts);
        fork.add(log.subList(0, (int) prefix));
        fork.checkpoint = checkpoint == null || checkpoint.nextSeq() > prefix ? null : checkpoint;
        return fork;
    }

    SessionHeader header() {
        return header;
    }

    long ordinal() {
        return ordinal;
    }

    /** Seq of the first event of its own. */
    long firstSeq() {
        return inherited.isEmpty() ? 0 : inherited.get(inherited.size() - 1).to();
    }

    /** Whose the events before its own are. */
    List<MemoryPart> inherited() {
        return inherited;
    }

    private List<MemoryPart> parts() {
        List<MemoryPart> parts = new ArrayList<>(inherited);
        parts.add(new MemoryPart(ordinal, header.id(), firstSeq(), nextSeq()));
        return parts;
    }

    void append(SessionWrite write) {
        add(write.events());
        keys.putAll(write.keys());
        if (write.checkpoint() != null) {
            checkpoint = write.checkpoint();
        }
    }

    private void add(List<SessionEvent> events) {
        for (SessionEvent event : events) {
            log.add(event);
            if (event.isSurface()) {
                surface.add(event);
            }
            if (!event.type().equals(EventType.ASSISTANT_CHUNK)) {
                notChunks.add(event);
            }
        }
    }

    @Nullable
    StoredCheckpoint checkpoint() {
        return checkpoint;
    }

    boolean save(StoredCheckpoint newer) {
        boolean kept = newer.nextSeq() <= log.size() && (checkpoint == null || checkpoint.nextSeq() <= newer.nextSeq());
        checkpoint = kept ? newer : checkpoint;
        return kept;
    }

    void dropCheckpoint() {
        checkpoint = null;
    }

    @Nullable
    StoredLease lease(LeasePurpose purpose) {
        return leases.get(purpose);
    }

    void put(StoredLease lease) {
        leases.put(lease.purpose(), lease);
    }

    List<SessionEvent> events(EventSeqs seqs) {
        List<SessionEvent> events = new ArrayList<>(Math.toIntExact(seqs.size()));
        seqs.forEach(seq -> {
            if (seq >= log.size()) {
                throw new IllegalArgumentException("session \"" + id + "\" has no event " + seq);
            }
            events.add(log.get((int) seq));
        });
        return List.copyOf(events);
    }

    long nextSeq() {
        return log.size();
    }

    @Nullable
    KeyedAppend keyed(String key) {
        return keys.get(key);
    }

    StoredSession stored() {
        return new StoredSession(header, log.size(), surface.size(), ordinal);
    }

    boolean matches(SessionFilter filter) {
        long created = header.createdAt();
        return (filter.idContains() == null || id.contains(filter.idContains()))
                && (filter.parentSession() == null
                        || filter.parentSession().equals(header.parentSession().orElse(null)))
                && created >= filter.createdFrom()
                && created < filter.createdTo();
    }

    List<SessionEvent> events(EventRange range) {
        List<SessionEvent> of = switch (range.kind()) {
            case ALL -> log;
            case SURFACE -> surface;
            case NOT_CHUNK -> notChunks;
        };
        int from = firstAtOrAfter(of, range.from());
        int to = firstAtOrAfter(of, range.to());
        List<SessionEvent> found = of.subList(from, (int) Math.min(to, from + Math.min(range.limit(), to)));
        return List.copyOf(range.bytes() == Long.MAX_VALUE ? found : found.subList(0, within(range.bytes(), found)));
    }

    private static int within(long bytes, List<SessionEvent> events) {
        int count = 0;
        for (long size = 0; count < events.size() && size < bytes; count++) {
            size += events.get(count).data().utf8Bytes();
        }
        return count;
    }

    /** Where in this ascending list the first event stands whose seq is not below the given one. */
    private static int firstAtOrAfter(List<SessionEvent> events, long seq) {
        int low = 0;
        int high = events.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (events.get(middle).seq() < seq) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
