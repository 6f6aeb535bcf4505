package io.surfacelog.store.memory;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.EventStoreLeaseContract;

class MemoryEventStoreLeaseTest extends EventStoreLeaseContract {

    @Override
    protected EventStore openEmpty() {
        return MemoryEventStore.create();
    }
}
