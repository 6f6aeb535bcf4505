package io.surfacelog.store.memory;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.EventStoreSubscriptionContract;

class MemoryEventStoreSubscriptionTest extends EventStoreSubscriptionContract {

    @Override
    protected EventStore openEmpty() {
        return MemoryEventStore.create();
    }
}
