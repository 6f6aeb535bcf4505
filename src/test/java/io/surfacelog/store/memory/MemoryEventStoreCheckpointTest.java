package io.surfacelog.store.memory;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.EventStoreCheckpointContract;

class MemoryEventStoreCheckpointTest extends EventStoreCheckpointContract {

    @Override
    protected EventStore openEmpty() {
        return MemoryEventStore.create();
    }
}
