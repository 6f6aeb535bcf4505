package io.surfacelog.command;

import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventTypes;
import io.surfacelog.projection.ProjectionSettings;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventStore;
import io.surfacelog.stream.EventDispatcher;
import io.surfacelog.stream.SessionEventListener;
import io.surfacelog.stream.SessionStream;
import io.surfacelog.stream.StreamSettings;
import io.surfacelog.surface.RecoverySettings;
import io.surfacelog.surface.StructureMode;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What one process has: commands, projection, queries and listeners over one store. Closing it leaves the store open. */
public final class CommandStack implements AutoCloseable {

    public final EventStore store;
    public final SurfaceProjection projection;
    public final EventDispatcher dispatcher;
    public final SessionCommands commands;
    public final SessionQueries queries;
    public final SessionStream stream;

    private CommandStack(Builder builder) {
        store = builder.store;
        projection = new SurfaceProjection(store, builder.projection);
        dispatcher = new EventDispatcher(store, builder.listenerBuffer);
        commands = SessionCommands.of(
                store,
                projection,
                dispatcher,
                builder.settings.with(builder.lease),
                builder.interceptors,
                builder.clock);
        queries = SessionQueries.of(store, projection);
        stream = SessionStream.of(store, dispatcher, builder.stream);
        if (!builder.listenersLater) {
            dispatcher.start(builder.listeners);
        }
    }

    public static Builder on(EventStore store) {
        return new Builder(store);
    }

    /** For logs that are not well formed: findings are reported. */
    public static Builder reporting(EventStore store) {
        return on(store).structure(StructureMode.REPORT);
    }

    @Override
    public void close() {
        commands.close();
        stream.close();
        dispatcher.close();
        projection.close();
    }

    /** Collects what differs from the defaults. */
    public static final class Builder {

        private final EventStore store;
        private CommandSettings settings = CommandSettings.defaults();
        private final List<CommandInterceptor> interceptors = new ArrayList<>();
        private final List<SessionEventListener> listeners = new ArrayList<>();
        private boolean listenersLater;
        private ProjectionSettings projection = ProjectionSettings.defaults();
        private int listenerBuffer = 1_024;
        private LeaseSettings lease = LeaseSettings.defaults();
        private Clock clock = Clock.systemUTC();
        private StreamSettings stream = new StreamSettings(1_024, Duration.ofMillis(5), Duration.ofSeconds(10));

        private Builder(EventStore store) {
            this.store = store;
        }

        public Builder types(EventTypes types) {
            settings = new CommandSettings(
                    types, settings.limits(), settings.structure(), settings.recovery(), settings.queue());
            return this;
        }

        public Builder limits(EventLimits limits) {
            settings = new CommandSettings(
                    settings.types(), limits, settings.structure(), settings.recovery(), settings.queue());
            return this;
        }

        public Builder structure(StructureMode mode) {
            settings = new CommandSettings(
                    settings.types(), settings.limits(), mode, settings.recovery(), settings.queue());
            return this;
        }

        public Builder recovery(boolean salvageStreamedText, boolean answerOrphanedCalls) {
            RecoverySettings recovery = new RecoverySettings(salvageStreamedText, answerOrphanedCalls);
            settings = new CommandSettings(
                    settings.types(), settings.limits(), settings.structure(), recovery, settings.queue());
            return this;
        }

        public Builder queue(long maxBytes, QueueSettings.WhenFull whenFull) {
            settings = new CommandSettings(
                    settings.types(),
                    settings.limits(),
                    settings.structure(),
                    settings.recovery(),
                    new QueueSettings(maxBytes, whenFull));
            return this;
        }

        public Builder interceptor(CommandInterceptor interceptor) {
            interceptors.add(interceptor);
            return this;
        }

        public Builder listener(SessionEventListener listener) {
            listeners.add(listener);
            return this;
        }

        /** The test starts the dispatcher itself. */
        public Builder listenersLater() {
            listenersLater = true;
            return this;
        }

        public Builder maxLiveSessions(int sessions) {
            projection = projection.maxLiveSessions(sessions);
            return this;
        }

        public Builder maxLiveBytes(long bytes) {
            projection = projection.maxLiveBytes(bytes);
            return this;
        }

        public Builder checkpointsEvery(int events) {
            projection = projection.checkpointsEvery(events);
            return this;
        }

        public Builder listenerBuffer(int commits) {
            listenerBuffer = commits;
            return this;
        }

        public Builder lease(Duration duration) {
            lease = new LeaseSettings(duration);
            return this;
        }

        public Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        public Builder stream(StreamSettings settings) {
            stream = settings;
            return this;
        }

        public CommandStack start() {
            return new CommandStack(this);
        }
    }
}
