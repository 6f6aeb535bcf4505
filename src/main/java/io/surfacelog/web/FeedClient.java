package io.surfacelog.web;

import io.surfacelog.event.SessionId;
import io.surfacelog.stream.StreamPosition;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of the feed. It has no thread: what it is to hear waits here, and is written by whoever brings it as far as the
 * connection takes it without waiting, and by the container when the connection takes more. One that falls too far behind
 * is dropped. Safe for use by several threads; no method waits for the client.
 */
final class FeedClient implements WriteListener, AsyncListener {

    private static final Logger LOG = LoggerFactory.getLogger(FeedClient.class);

    /** What the feed is told of a client. */
    interface Owner {

        /** The client has taken in what it had, and there is more in the store. Called without any lock. */
        void wantsMore(FeedClient client);

        /** The client is gone or was dropped. */
        void left(FeedClient client);
    }

    private final @Nullable SessionId session;
    private final long ordinal;
    private final long fromSeq;
    private final long maxBehind;
    private final Owner owner;
    private final AsyncContext context;
    private final ServletOutputStream out;

    private final Deque<FeedFrame> waiting = new ArrayDeque<>(4);
    private long waitingBytes;

    /** What is committed while the rest is still read from the store; null once both have met. */
    private @Nullable Deque<FeedFrame> live;

    private StreamPosition heard;
    private boolean catchingUp = true;
    private boolean wants;
    private boolean begun;
    private boolean writable;
    private boolean flushed = true;
    private boolean last;
    private boolean ended;
    private int silentBeats;

    FeedClient(
            @Nullable SessionId session,
            long ordinal,
            long fromSeq,
            StreamPosition start,
            long maxBehind,
            Owner owner,
            AsyncContext context)
            throws IOException {
        this.session = session;
        this.ordinal = ordinal;
        this.fromSeq = fromSeq;
        this.heard = start;
        this.maxBehind = maxBehind;
        this.owner = owner;
        this.context = context;
        this.out = context.getResponse().getOutputStream();
    }

    /** From now on the container calls. */
    void begin() {
        context.addListener(this);
        out.setWriteListener(this);
        synchronized (this) {
            begun = true;
        }
    }

    @Nullable
    SessionId session() {
        return session;
    }

    /** {@linkplain io.surfacelog.store.StoredSession#ordinal() Ordinal} of its session, 0 for all. */
    long ordinal() {
        return ordinal;
    }

    /** The first seq it wants to hear. */
    long fromSeq() {
        return fromSeq;
    }

    /** Where it has been read up to. */
    synchronized StreamPosition heard() {
        return heard;
    }

    /** From now on it keeps what is committed, besides what it is still read from the store. */
    synchronized void joinLive() {
        live = new ArrayDeque<>(4);
    }

    /** It has to be read on from the store, and forgets what it kept besides. */
    synchronized void leaveLive() {
        if (live != null) {
            live.forEach(frame -> waitingBytes -= frame.bytes().length);
            live = null;
        }
    }

    /** It has been read up to here, and hears from now on what is committed. */
    void caughtUp(StreamPosition to) {
        synchronized (this) {
            heard = to.compareTo(heard) > 0 ? to : heard;
            Deque<FeedFrame> kept = live;
            live = null;
            catchingUp = false;
            if (kept != null) {
                kept.forEach(frame -> waitingBytes -= frame.bytes().length);
                kept.forEach(this::keepNew);
            }
        }
        write();
    }

    /**
     * What was read from the store, with the place up to which it was read.
     *
     * @param asksForMore whether it asks for more when it has taken this in
     */
    void read(Iterable<FeedFrame> frames, StreamPosition to, boolean asksForMore) {
        synchronized (this) {
            frames.forEach(this::keep);
            heard = to.compareTo(heard) > 0 ? to : heard;
            wants = asksForMore;
        }
        write();
    }

    /** What was committed just now. */
    void offer(FeedFrame frame) {
        boolean tooSlow;
        synchronized (this) {
            if (live != null) {
                live.add(frame);
                waitingBytes += frame.bytes().length;
            } else if (!catchingUp) {
                keepNew(frame);
            }
            tooSlow = waitingBytes > maxBehind && waitingBytes > frame.bytes().length;
        }
        if (tooSlow) {
            drop("it has fallen more than " + maxBehind + " bytes behind");
        } else {
            write();
        }
    }

    /** Something has to be heard from time to time; one that takes in nothing is dropped. */
    void beat() {
        boolean stuck;
        synchronized (this) {
            if (!begun) {
                return; // it cannot take in anything yet
            }
            if (!waiting.isEmpty() || !flushed) {
                silentBeats++;
            } else {
                silentBeats = 0;
                keep(FeedFrame.HEARTBEAT);
            }
            stuck = silentBeats > 2;
        }
        if (stuck) {
            drop("it takes in nothing");
        } else {
            write();
        }
    }

    /** Sends a last frame; the connection is closed behind it. */
    void end(@Nullable FeedFrame frame) {
        synchronized (this) {
            if (frame != null && !last) {
                keep(frame);
            }
            last = true;
        }
        write();
    }

    private void keepNew(FeedFrame frame) {
        StreamPosition position = frame.position();
        if (position != null && position.compareTo(heard) > 0) {
            heard = position;
            keep(frame);
        }
    }

    private void keep(FeedFrame frame) {
        waiting.add(frame);
        waitingBytes += frame.bytes().length;
    }

    /** Whether it is still there. */
    synchronized boolean isServed() {
        return !ended;
    }

    @Override
    public void onWritePossible() {
        synchronized (this) {
            writable = true;
        }
        write();
    }

    @Override
    public void onError(Throwable failure) {
        LOG.debug("a client of the feed is gone", failure);
        leave();
    }

    private void write() {
        boolean more;
        boolean done;
        try {
            synchronized (this) {
                if (!writable || ended) {
                    return;
                }
                pump();
                more = writable && waiting.isEmpty() && wants;
                wants &= !more;
                done = writable && waiting.isEmpty() && flushed && last;
            }
        } catch (IOException | IllegalStateException e) {
            // the container comes with an error of its own, and completing the request here as well would confuse it
            LOG.debug("a client of the feed is gone", e);
            leave();
            return;
        }
        if (done) {
            close();
        } else if (more) {
            owner.wantsMore(this);
        }
    }

    private void pump() throws IOException {
        while (writable) {
            if (!out.isReady()) {
                writable = false; // the container calls when it takes more
            } else if (!waiting.isEmpty()) {
                FeedFrame frame = waiting.remove();
                waitingBytes -= frame.bytes().length;
                out.write(frame.bytes());
                flushed = false;
                silentBeats = 0;
            } else if (!flushed) {
                out.flush();
                flushed = true;
            } else {
                return;
            }
        }
    }

    private void drop(String why) {
        LOG.info("a client of the feed is dropped: {}; it can go on after position {} or an earlier one", why, heard());
        close();
    }

    /** Ends the request, whatever waits to be written. */
    void close() {
        if (leave()) {
            complete();
        }
    }

    private boolean leave() {
        synchronized (this) {
            if (ended) {
                return false;
            }
            ended = true;
            waiting.clear();
            live = null;
        }
        owner.left(this);
        return true;
    }

    private void complete() {
        try {
            context.complete();
        } catch (IllegalStateException alreadyOver) {
            LOG.debug("the request of a client was over", alreadyOver);
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        leave();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        leave();
        complete();
    }

    @Override
    public void onError(AsyncEvent event) {
        leave();
        complete();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // it is started once
    }
}
