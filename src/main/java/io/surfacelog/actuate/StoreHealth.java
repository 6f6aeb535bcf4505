package io.surfacelog.actuate;

import io.surfacelog.command.SessionCommands;
import io.surfacelog.command.WriterStatus;
import io.surfacelog.command.WriterStatus.FailedCommit;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.ForeignStoreException;
import io.surfacelog.store.StoreInfo;
import io.surfacelog.store.StoreStatus;
import io.surfacelog.store.StoreUnavailableException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * Whether sessions can be read and written, and in figures how things are. Down means that somebody has to do something;
 * out of service, that it may pass by itself. It never writes, and answers within the time that {@link HealthProperties} sets.
 */
final class StoreHealth implements HealthIndicator, AutoCloseable {

    private static final int NAMED_DAMAGED = 10;

    private final EventStore store;
    private final SessionCommands commands;
    private final SurfaceProjection projection;
    private final DamagedSessions damaged;
    private final HealthProperties properties;
    private final Clock clock;
    private final StatusLook look;

    StoreHealth(
            EventStore store,
            SessionCommands commands,
            SurfaceProjection projection,
            DamagedSessions damaged,
            HealthProperties properties,
            Clock clock) {
        this.store = store;
        this.commands = commands;
        this.projection = projection;
        this.damaged = damaged;
        this.properties = properties;
        this.clock = clock;
        this.look = new StatusLook(store, properties.timeout(), clock);
    }

    @Override
    public Health health() {
        Verdict verdict = new Verdict();
        StoreInfo info = store.info();
        verdict.builder
                .withDetail("backend", info.backend())
                .withDetail("location", info.location())
                .withDetail("storeId", info.storeId())
                .withDetail("schemaVersion", info.schemaVersion())
                .withDetail("formatVersion", SessionHeader.VERSION);
        look(verdict);
        writer(commands.writer(), verdict);
        List<SessionId> broken = damaged.all();
        verdict.builder
                .withDetail("liveSessions", projection.liveSessions())
                .withDetail("checkpointLag", projection.checkpointLag())
                .withDetail("damagedSessions", broken.size());
        if (!broken.isEmpty()) {
            verdict.builder.withDetail(
                    "damaged",
                    broken.stream().limit(NAMED_DAMAGED).map(SessionId::value).toList());
        }
        return verdict.health();
    }

    private void look(Verdict verdict) {
        StoreStatus status;
        try {
            status = look.get();
        } catch (ForeignStoreException e) {
            verdict.add(
                    Status.DOWN,
                    "the schema is not ours: expected " + e.expected() + ", found " + e.found() + "; " + e.action());
            return;
        } catch (StoreUnavailableException e) {
            verdict.add(statusOf(e.reason()), "the store cannot be used: " + e.getMessage());
            return;
        } catch (RuntimeException e) {
            verdict.add(Status.DOWN, "the store cannot be read: " + e.getMessage());
            return;
        }
        verdict.builder
                .withDetail("sessions", status.sessions())
                .withDetail("openLeases", status.liveLeases())
                .withDetail("lastPosition", status.lastPosition());
        status.usableBytes().ifPresent(usable -> {
            verdict.builder.withDetail("freeBytes", usable);
            long least = properties.minFreeSpace().toBytes();
            if (usable < least) {
                verdict.add(
                        Status.OUT_OF_SERVICE,
                        "disk space runs out: expected " + least + " bytes free, found " + usable
                                + "; make room where the store is");
            }
        });
    }

    private void writer(WriterStatus writer, Verdict verdict) {
        verdict.builder
                .withDetail("queuedWrites", writer.queuedWrites())
                .withDetail("queuedBytes", writer.queuedBytes())
                .withDetail("waitingForRoom", writer.waitingForRoom());
        writer.lastCommitAt()
                .ifPresent(at -> verdict.builder.withDetail(
                        "lastCommit", Instant.ofEpochMilli(at).toString()));
        if (writer.isFull()) {
            verdict.add(
                    Status.OUT_OF_SERVICE,
                    "the queue is full: " + writer.queuedBytes() + " of " + writer.maxQueuedBytes() + " bytes, and "
                            + writer.waitingForRoom() + " writes wait to be let in");
        }
        Duration most = properties.stuckAfter();
        writer.committingFor().filter(taken -> taken.compareTo(most) > 0).ifPresent(taken -> {
            verdict.add(
                    Status.OUT_OF_SERVICE,
                    "the writer is stuck: a commit has taken " + taken.toMillis() + " ms, more than " + most.toMillis()
                            + " ms");
        });
        writer.lastFailure()
                .filter(failure -> clock.millis() - failure.at() < most.toMillis())
                .ifPresent(failure -> verdict.add(statusOf(failure), "the last commit failed: " + failure.message()));
    }

    private static Status statusOf(FailedCommit failure) {
        return failure.reason().map(StoreHealth::statusOf).orElse(Status.OUT_OF_SERVICE);
    }

    private static Status statusOf(StoreUnavailableException.Reason reason) {
        return switch (reason) {
            case READ_ONLY, CANNOT_OPEN, GONE, CLOSED, CAPACITY, IO -> Status.DOWN;
            case LOCKED, DISK_FULL -> Status.OUT_OF_SERVICE;
        };
    }

    @Override
    public void close() {
        look.close();
    }

    /** The worst of what was found, and why. */
    private static final class Verdict {

        private final Health.Builder builder = Health.up();
        private final List<String> reasons = new ArrayList<>();
        private Status worst = Status.UP;

        void add(Status status, String reason) {
            reasons.add(reason);
            if (!worst.equals(Status.DOWN)) {
                worst = status;
            }
        }

        Health health() {
            if (!reasons.isEmpty()) {
                builder.withDetail("reasons", List.copyOf(reasons));
            }
            return builder.status(worst).build();
        }
    }
}
