package io.surfacelog.testing;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonText;
import io.surfacelog.event.LogOnlyPayload;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfacePayload;
import org.jspecify.annotations.Nullable;

/** An event that has no place in a log yet. */
record Draft(String type, Json data, @Nullable SurfaceIntent intent, boolean ignorable) {

    static Draft of(LogOnlyPayload payload) {
        return new Draft(payload.type(), payload.json(), null, false);
    }

    static Draft of(SurfacePayload payload, SurfaceIntent intent) {
        return new Draft(payload.type(), payload.json(), intent, false);
    }

    /** The same with another member in its data. */
    Draft with(String name, Json value) {
        return new Draft(type, ((JsonObject) data).with(name, value), intent, ignorable);
    }

    Draft without(String name) {
        return new Draft(type, ((JsonObject) data).without(name), intent, ignorable);
    }

    Draft asIgnorable() {
        return new Draft(type, data, intent, true);
    }

    SessionEvent at(long seq, long time) {
        return SessionEvent.of(seq, time, type, JsonText.of(data), intent, ignorable);
    }
}
