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
    private @Nullable StoredCheckpoint checkpoint;

    MemorySession(SessionHeader header, long ordinal) {
        this.header = header;
        this.id = header.id().value();
        this.ordinal = ordinal;
    }

    void append(SessionWrite write) {
        for (SessionEvent event : write.events()) {
            log.add(event);
            if (event.isSurface()) {
                surface.add(event);
            }
            if (!event.type().equals(EventType.ASSISTANT_CHUNK)) {
                notChunks.add(event);
            }
        }
        keys.putAll(write.keys());
        if (write.checkpoint() != null) {
            checkpoint = write.checkpoint();
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
        return List.copyOf(of.subList(from, (int) Math.min(to, from + Math.min(range.limit(), to))));
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
