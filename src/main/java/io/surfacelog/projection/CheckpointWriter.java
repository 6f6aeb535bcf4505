package io.surfacelog.projection;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.store.StoredCheckpoint;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceCheckpoint;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes checkpoints on a thread of its own, so that nobody waits for one. Of each session only the newest that waits is
 * written; where too many wait, or writing fails, there will be others. Safe for use by several threads.
 */
final class CheckpointWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointWriter.class);
    private static final int MAX_WAITING = 256;
    private static final long CLOSING_SECONDS = 30;

    private final EventStore store;
    private final AtomicLong written = new AtomicLong();

    /** What is to be written, the oldest first. Its monitor guards it, and {@link #closed}. */
    private final Map<SessionId, Surface> waiting = new LinkedHashMap<>();

    private boolean closed;

    /** Held while a checkpoint is written. */
    private final Object writing = new Object();

    /** Whether the last write failed. Guarded by {@link #writing}. */
    private boolean failing;

    private final ThreadPoolExecutor thread = daemon();

    CheckpointWriter(EventStore store) {
        this.store = store;
    }

    private static ThreadPoolExecutor daemon() {
        ThreadPoolExecutor daemon =
                new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "surfacelog-checkpoint");
                    thread.setDaemon(true);
                    return thread;
                });
        daemon.allowCoreThreadTimeOut(true);
        return daemon;
    }

    /** Sees to it that a checkpoint of this surface, all of which is committed, is written soon. */
    void write(SessionId id, Surface surface) {
        synchronized (waiting) {
            if (closed || waiting.size() >= MAX_WAITING && !waiting.containsKey(id)) {
                return;
            }
            if (waiting.put(id, surface) == null) {
                thread.execute(this::writeNext);
            }
        }
    }

    private void writeNext() {
        synchronized (writing) {
            Map.Entry<SessionId, Surface> next = takeNext();
            if (next != null) {
                writeNow(next.getKey(), next.getValue());
            }
        }
    }

    private Map.@Nullable Entry<SessionId, Surface> takeNext() {
        synchronized (waiting) {
            Iterator<Map.Entry<SessionId, Surface>> entries = waiting.entrySet().iterator();
            if (!entries.hasNext()) {
                return null;
            }
            Map.Entry<SessionId, Surface> entry = entries.next();
            Map.Entry<SessionId, Surface> next = Map.entry(entry.getKey(), entry.getValue());
            entries.remove();
            return next;
        }
    }

    private void writeNow(SessionId id, Surface surface) {
        try {
            if (store.saveCheckpoint(id, checkpoint(surface))) {
                written.incrementAndGet();
            }
            failing = false;
        } catch (RuntimeException e) {
            boolean told = failing
                    || e instanceof StoreUnavailableException unavailable && unavailable.reason() == Reason.READ_ONLY;
            if (!told) {
                LOG.warn(
                        "the checkpoint of session {} could not be written; nothing is lost, opening sessions takes longer"
                                + " until one can: {}",
                        id,
                        e.getMessage());
            }
            LOG.debug("the checkpoint of session {} could not be written", id, e);
            failing = true;
        }
    }

    static StoredCheckpoint checkpoint(Surface surface) {
        return new StoredCheckpoint(
                surface.nextSeq(), SurfaceCheckpoint.of(surface).bytes());
    }

    /**
     * Puts a checkpoint in the place of whatever is stored or waits. Where it can, without a moment in which there is
     * none: then a late one of another process, which knows less of stray chunks, finds a newer one.
     *
     * @return whether it is stored
     */
    boolean replace(SessionId id, Surface surface) {
        synchronized (writing) {
            synchronized (waiting) {
                waiting.remove(id);
            }
            StoredCheckpoint checkpoint = checkpoint(surface);
            boolean kept = saveOver(id, checkpoint);
            if (!kept) {
                store.dropCheckpoints(id);
                kept = store.saveCheckpoint(id, checkpoint);
            }
            if (kept) {
                written.incrementAndGet();
            }
            return kept;
        }
    }

    private boolean saveOver(SessionId id, StoredCheckpoint checkpoint) {
        try {
            return store.saveCheckpoint(id, checkpoint);
        } catch (DamagedStoreException e) {
            LOG.debug("the stored checkpoint of session {} is damaged and is dropped", id, e);
            return false;
        }
    }

    /** Returns when none of this session waits or is being written. */
    void forget(SessionId id) {
        synchronized (writing) {
            synchronized (waiting) {
                waiting.remove(id);
            }
        }
    }

    /** How many checkpoints the store has kept. */
    long written() {
        return written.get();
    }

    /** Writes what waits, and then nothing more. */
    @Override
    public void close() {
        synchronized (waiting) {
            closed = true;
        }
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("some checkpoints were not written within {} seconds; nothing is lost", CLOSING_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
