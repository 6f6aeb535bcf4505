package io.surfacelog.projection;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceChange;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One session whose surface is held in memory, or being opened. The surface only ever moves forward; it is read by
 * anybody without a lock, and nobody waits for the store while holding one.
 */
final class LiveSession {

    private static final long BYTES_PER_CHARACTER = 4;
    private static final long BYTES_PER_ITEM = 256;

    private volatile @Nullable SessionHeader header;
    private volatile @Nullable Surface surface;
    private volatile long lastUsed;

    private final AtomicBoolean claimed = new AtomicBoolean();
    private final CompletableFuture<Surface> opened = new CompletableFuture<>();

    /** What all live sessions take. */
    private final AtomicLong total;

    // the rest is guarded by this

    /** What of the total is this session's. */
    private long bytes;

    private boolean gone;

    /** The tail after the newest change that came while the session was being opened. */
    private long atLeast;

    /** How many events an opening would have to fold behind the newest checkpoint. */
    private long behind;

    /** Whether it has grown here since the newest checkpoint. */
    private boolean grown;

    /** A session that is not open yet. */
    LiveSession(long now, AtomicLong total) {
        this.lastUsed = now;
        this.total = total;
    }

    @Nullable
    SessionHeader header() {
        return header;
    }

    /** Null while the session is being opened. */
    @Nullable
    Surface surface() {
        return surface;
    }

    /** Whether the caller is the one to open the session, and so to say when it {@link #isOpen} or {@link #cannotOpen}. */
    boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    void isOpen(Surface surfaceNow) {
        opened.complete(surfaceNow);
    }

    void cannotOpen(Throwable cause) {
        opened.completeExceptionally(cause);
    }

    /** Waits for the thread that opens the session, and fails as it does. */
    Surface awaitOpen() {
        try {
            Surface first = opened.join();
            Surface now = surface;
            return now == null ? first : now;
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }

    /**
     * Opens the session with what was read from the store.
     *
     * @return the surface now, null if a commit was made meanwhile that is not in it, so that it has to be read further
     */
    synchronized @Nullable Surface open(SessionHeader read, Folded folded) {
        header = read;
        return advance(folded);
    }

    /** Opens the session with the change that created it. */
    synchronized void create(SessionHeader created, SurfaceChange change) {
        header = created;
        // whoever has read it from the store already may be further
        if (surface == null && change.after().nextSeq() >= atLeast) {
            surface = change.after();
            grew(change);
        }
    }

    /**
     * Moves the surface on to one read from the store, unless it is further already.
     *
     * @return the newer of the two, null if it lacks a commit that was made while the session was being opened
     */
    synchronized @Nullable Surface advance(Folded folded) {
        Surface known = surface;
        if (known != null && known.nextSeq() >= folded.surface().nextSeq()) {
            return known;
        }
        if (folded.surface().nextSeq() < atLeast) {
            return null;
        }
        surface = folded.surface();
        behind += folded.behind();
        account();
        return folded.surface();
    }

    /**
     * Applies a committed change.
     *
     * @return whether the surface now holds it, or will once opened; if not, something before it is missing
     */
    synchronized boolean apply(SurfaceChange change) {
        Surface known = surface;
        if (known == null) {
            atLeast = Math.max(atLeast, change.after().nextSeq());
            return true;
        }
        if (known.nextSeq() == change.before().nextSeq()) {
            surface = change.after();
            grew(change);
            return true;
        }
        return known.nextSeq() >= change.after().nextSeq();
    }

    private void grew(SurfaceChange change) {
        grown = true;
        if (change.after().hasStrayChunks()) {
            behind += change.events().size();
        } else {
            for (SessionEvent event : change.events()) {
                behind += StoredFold.isChunk(event) ? 0 : 1;
            }
        }
        account();
    }

    /** Brings the total up to date. */
    private void account() {
        Surface now = surface;
        if (now != null && !gone) {
            long items = (long) now.nodes().size() + now.findings().size();
            long takes = BYTES_PER_CHARACTER * now.textLength() + BYTES_PER_ITEM * items;
            total.addAndGet(takes - bytes);
            bytes = takes;
        }
    }

    /** The session is live no more: what it takes counts no more. */
    synchronized void leave() {
        gone = true;
        total.addAndGet(-bytes);
        bytes = 0;
    }

    /** How many events an opening would have to fold behind the newest checkpoint. */
    synchronized long behind() {
        return behind;
    }

    /** The surface to write a checkpoint of, if the session has outgrown the last one; it then counts as written. */
    synchronized @Nullable Surface due(int every) {
        return behind >= threshold(every) ? taken() : null;
    }

    /** The same for a session that is about to leave, where a quarter of the growth is enough. */
    synchronized @Nullable Surface dueAtLast(int every) {
        return grown && behind > 0 && behind >= threshold(every) / 4 ? taken() : null;
    }

    private long threshold(int every) {
        Surface now = surface;
        return now == null ? Long.MAX_VALUE : Math.max(every, now.nodes().size() / 4);
    }

    private @Nullable Surface taken() {
        behind = 0;
        grown = false;
        return surface;
    }

    long lastUsed() {
        return lastUsed;
    }

    void used(long now) {
        if (lastUsed != now) {
            lastUsed = now;
        }
    }
}
