package io.surfacelog.agent;

import io.surfacelog.event.SessionId;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listeners, each of them whatever the others do. */
final class Notifications {

    private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);

    private final List<AgentListener> listeners;

    Notifications(List<AgentListener> listeners) {
        this.listeners = listeners;
    }

    /** What a listener throws is logged. */
    void send(AgentNotification notification) {
        for (AgentListener listener : listeners) {
            try {
                listener.onNotification(notification);
            } catch (Throwable e) {
                tellFailure(listener, notification, e);
            }
        }
    }

    private static void tellFailure(AgentListener listener, AgentNotification notification, Throwable failure) {
        String what = notification.getClass().getSimpleName();
        SessionId id = notification.agent().id();
        try {
            LOG.error("the agent listener {} failed on {} of {}", listener, what, id, failure);
        } catch (Throwable unprintable) {
            LOG.error(
                    "the agent listener {} failed on {} of {} with a {} that cannot be printed",
                    listener,
                    what,
                    id,
                    failure.getClass().getName());
        }
    }

    /** All hear of it; what the first one that failed threw is thrown then. */
    void announce(AgentCreated created) {
        Throwable failure = null;
        for (AgentListener listener : listeners) {
            try {
                listener.onNotification(created);
            } catch (Throwable e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
    }
}
