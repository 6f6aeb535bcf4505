package io.surfacelog.store.memory;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.EventStoreContract;

class MemoryEventStoreTest extends EventStoreContract {

    @Override
    protected EventStore openEmpty() {
        return MemoryEventStore.create();
    }
}
