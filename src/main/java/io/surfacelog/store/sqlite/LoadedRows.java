package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionEvent;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Packs and inserts the events of a long log on a thread of its own, while the caller's thread reads and admits those that
 * follow. Between {@link #begin} and {@link #end} or {@link #abandon} nobody else may use the connection. Holds a few
 * batches at most.
 */
final class LoadedRows {

    private static final int BATCHES = 2;
    private static final List<SessionEvent> END = new ArrayList<>(0);

    private final SqliteLink link;
    private final RowPacker packer;
    private final BlockingQueue<List<SessionEvent>> batches = new ArrayBlockingQueue<>(BATCHES);
    private final Thread thread = new Thread(this::run, "surfacelog-import");
    private SessionRow session;
    private boolean begun;
    private @Nullable Throwable failure;
    private volatile boolean abandoned;

    /** For a session without events. */
    LoadedRows(SqliteLink link, SessionRow empty) {
        this.link = link;
        this.session = empty;
        this.packer = new RowPacker(empty.number(), link.compression());
        thread.setDaemon(true);
    }

    /** Takes the next events over; waits while the thread has enough to do. */
    void add(List<SessionEvent> batch) throws SQLException {
        begin();
        if (!put(batch)) {
            end(); // throws why the thread has ended
        }
    }

    private void begin() {
        if (!begun) {
            begun = true;
            thread.start();
        }
    }

    /** Inserts the last events, and waits until all are there. */
    SessionRow end(List<SessionEvent> rest) throws SQLException {
        if (begun) {
            add(rest);
            put(END);
            return end();
        }
        insert(rest);
        insertLast();
        return session;
    }

    private SessionRow end() throws SQLException {
        join();
        Throwable why = failure;
        if (why instanceof SQLException e) {
            throw e;
        } else if (why instanceof RuntimeException e) {
            throw e;
        } else if (why instanceof Error e) {
            throw e;
        }
        return session;
    }

    /** Stops inserting. The connection is the caller's again. */
    void abandon() {
        abandoned = true;
        if (begun) {
            batches.clear();
            put(END);
            join();
        }
    }

    /** Returns false if the thread has ended. */
    private boolean put(List<SessionEvent> batch) {
        boolean interrupted = false;
        try {
            while (thread.isAlive()) {
                try {
                    if (batches.offer(batch, 100, TimeUnit.MILLISECONDS)) {
                        return true;
                    }
                } catch (InterruptedException e) {
                    interrupted = true; // an import is not broken off half-way through a batch: its log may be
                }
            }
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void join() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true; // it ends by itself
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            for (List<SessionEvent> batch = batches.take(); batch != END && !abandoned; batch = batches.take()) {
                insert(batch);
            }
            if (!abandoned) {
                insertLast();
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    private void insert(List<SessionEvent> events) throws SQLException {
        for (SessionEvent event : events) {
            packer.add(event);
        }
        insertRows();
    }

    private void insertLast() throws SQLException {
        packer.endRun();
        insertRows();
    }

    private void insertRows() throws SQLException {
        List<EventRow> rows = packer.takeRows();
        if (rows.isEmpty()) {
            return;
        }
        PreparedStatement insert = link.statement(CommitTransaction.INSERT_EVENT);
        for (EventRow row : rows) {
            row.bind(insert);
            insert.executeUpdate();
        }
        session = session.with(rows);
    }
}
