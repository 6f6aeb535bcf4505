package io.surfacelog.autoconfigure;

import io.surfacelog.command.LeaseSettings;
import io.surfacelog.command.QueueSettings;
import io.surfacelog.event.EventLimits;
import io.surfacelog.projection.ProjectionSettings;
import io.surfacelog.store.sqlite.SqliteSettings;
import io.surfacelog.stream.StreamSettings;
import io.surfacelog.surface.StructureMode;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of Surfacelog.
 *
 * @param store where the log is kept
 * @param structure what is done with findings of the structure rules when events are appended
 * @param sqlite settings of the SQLite store
 * @param limits how large an event may be
 * @param queue what is planned and not yet committed
 * @param live sessions held in memory
 * @param checkpoints what makes opening a session fast
 * @param listeners delivery to listeners
 * @param stream subscriptions
 * @param lease the lease of whoever drives a session
 * @param recovery what recovery adds beyond closing what is open
 * @param agents agents that run here
 */
@ConfigurationProperties("surfacelog")
public record SurfacelogProperties(
        @DefaultValue("sqlite") StoreKind store,
        @DefaultValue("enforce") StructureMode structure,
        @DefaultValue Sqlite sqlite,
        @DefaultValue Limits limits,
        @DefaultValue Queue queue,
        @DefaultValue Live live,
        @DefaultValue Checkpoints checkpoints,
        @DefaultValue Listeners listeners,
        @DefaultValue Stream stream,
        @DefaultValue Lease lease,
        @DefaultValue Recovery recovery,
        @DefaultValue Agents agents) {

    /** Where the log is kept. */
    public enum StoreKind {
        /** In a SQLite database file. */
        SQLITE,
        /** In memory, for tests: gone with the process. */
        MEMORY
    }

    /**
     * Settings of the SQLite store.
     *
     * @param path the database file; it and its directories are created if need be
     * @param synchronous how durable a commit is: full survives the loss of power, normal the death of the process
     * @param busyTimeout how long to wait for a lock that another process holds, from 0 to 10 minutes
     * @param readConnections how many reads may run at once, from 1 to 64
     */
    public record Sqlite(
            @DefaultValue("data/surfacelog.db") Path path,
            @DefaultValue("full") SqliteSettings.Synchronous synchronous,
            @DefaultValue("5s") Duration busyTimeout,
            @DefaultValue("4") int readConnections) {

        SqliteSettings settings() {
            return SqliteSettings.at(path)
                    .synchronous(synchronous)
                    .busyTimeout(busyTimeout)
                    .readConnections(readConnections);
        }
    }

    /**
     * How large an event may be.
     *
     * @param maxEventBytes size of one event as compact JSON in UTF-8, from 1KB
     */
    public record Limits(@DefaultValue("16MB") DataSize maxEventBytes) {

        EventLimits eventLimits() {
            return new EventLimits(maxEventBytes.toBytes());
        }
    }

    /**
     * What is planned and not yet committed.
     *
     * @param maxBytes how much may wait to be committed, over all sessions, from 1KB; one larger write is let in alone
     * @param whenFull what becomes of a write without room: block waits for it, fail refuses the write
     */
    public record Queue(
            @DefaultValue("64MB") DataSize maxBytes,
            @DefaultValue("block") QueueSettings.WhenFull whenFull) {

        public Queue {
            if (maxBytes.toBytes() < 1_024) {
                throw new IllegalArgumentException(
                        "expected surfacelog.queue.max-bytes from 1KB, found " + maxBytes.toBytes() + "B");
            }
        }

        QueueSettings settings() {
            return new QueueSettings(maxBytes.toBytes(), whenFull);
        }
    }

    /**
     * Sessions held in memory.
     *
     * @param maxSessions how many sessions are held, from 1
     * @param maxBytes how much memory they may take, by estimate; the session used last is held whatever its size
     */
    public record Live(
            @DefaultValue("1000") int maxSessions,
            @DefaultValue("256MB") DataSize maxBytes) {}

    /**
     * What makes opening a session fast.
     *
     * @param every how many events other than stream chunks a session grows by before a checkpoint is written, from 1; for
     *     a large surface it is a quarter of its nodes
     */
    public record Checkpoints(@DefaultValue("1024") int every) {}

    ProjectionSettings projectionSettings() {
        return new ProjectionSettings(live.maxSessions(), live.maxBytes().toBytes(), checkpoints.every());
    }

    /**
     * Delivery to listeners.
     *
     * @param bufferSize commits a listener may be behind before it reads from the store, from 1
     */
    public record Listeners(@DefaultValue("1024") int bufferSize) {}

    /**
     * Subscriptions.
     *
     * @param bufferSize commits a subscriber may be behind before it reads from the store or is disconnected, from 1
     * @param pollInterval how often subscriptions look for what other processes have committed, from 1ms to 1m
     * @param hold how long a durable subscription belongs to a process that is not heard of, from 100ms to 1h
     * @param applicationEvents whether events are published to listeners of the application context: auto does so if one of
     *     them asks for such events
     */
    public record Stream(
            @DefaultValue("1024") int bufferSize,
            @DefaultValue("100ms") Duration pollInterval,
            @DefaultValue("10s") Duration hold,
            @DefaultValue("auto") ApplicationEvents applicationEvents) {

        StreamSettings settings() {
            return new StreamSettings(bufferSize, pollInterval, hold);
        }
    }

    /** Whether committed events are published in the application context. */
    public enum ApplicationEvents {
        /** If a listener of the context asks for them when it starts. */
        AUTO,
        /** In any case. */
        ALWAYS,
        /** Not at all. */
        NEVER
    }

    /**
     * The lease of whoever drives a session.
     *
     * @param duration how long it lives unless it is renewed, which happens after each third of it; from 1s to 1h
     */
    public record Lease(@DefaultValue("30s") Duration duration) {

        LeaseSettings settings() {
            return new LeaseSettings(duration);
        }
    }

    /**
     * What recovery adds beyond closing what is open.
     *
     * @param salvageStreamedText whether text that was streamed but never recorded becomes an assistant message
     * @param answerOrphanedCalls whether calls of closed steps that were never answered get an error result
     */
    public record Recovery(
            @DefaultValue("true") boolean salvageStreamedText,
            @DefaultValue("true") boolean answerOrphanedCalls) {}

    /**
     * Agents that run here.
     *
     * @param maxToolRuns how many tools may run at once, over all agents, from 1
     */
    public record Agents(@DefaultValue("16") int maxToolRuns) {}
}
