package io.surfacelog.store.memory;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.EventStoreReadingContract;

class MemoryEventStoreReadingTest extends EventStoreReadingContract {

    @Override
    protected EventStore openEmpty() {
        return MemoryEventStore.create();
    }
}
