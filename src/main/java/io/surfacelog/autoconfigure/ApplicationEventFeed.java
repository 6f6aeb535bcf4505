package io.surfacelog.autoconfigure;

import io.surfacelog.stream.SessionEventCommitted;
import io.surfacelog.stream.SessionEventListener;
import java.util.Collection;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.event.GenericApplicationListenerAdapter;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.ResolvableType;

/** Publishes committed events in the application context, from a feed of its own like that of any other listener. */
final class ApplicationEventFeed implements SessionEventListener {

    private static final ResolvableType COMMITTED =
            ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, SessionEventCommitted.class);

    /** Nobody asks for it: who takes it takes everything. */
    private static final ResolvableType ANYTHING =
            ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, ApplicationEventFeed.class);

    private final ApplicationEventPublisher publisher;

    ApplicationEventFeed(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    /** Whether to publish. Boot itself brings listeners that take everything: they do not count as asking. */
    static boolean isWanted(SurfacelogProperties.ApplicationEvents setting, ConfigurableApplicationContext context) {
        return switch (setting) {
            case ALWAYS -> true;
            case NEVER -> false;
            case AUTO ->
                !(context instanceof AbstractApplicationContext known) || asks(known.getApplicationListeners());
        };
    }

    private static boolean asks(Collection<ApplicationListener<?>> listeners) {
        return listeners.stream()
                .map(listener -> listener instanceof GenericApplicationListener generic
                        ? generic
                        : new GenericApplicationListenerAdapter(listener))
                .anyMatch(listener -> listener.supportsEventType(COMMITTED) && !listener.supportsEventType(ANYTHING));
    }

    @Override
    public void onEvent(SessionEventCommitted committed) {
        publisher.publishEvent(committed);
    }
}
