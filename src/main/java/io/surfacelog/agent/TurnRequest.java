package io.surfacelog.agent;

import io.surfacelog.event.JsonObject;
import io.surfacelog.event.RequestContext;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.surface.Surface;
import java.util.Optional;

/** Decides which request headers and contexts have to be written. Guarded by the recorder's lock. */
final class TurnRequest {

    private boolean headerWritten;

    /** The header to be written, empty if it is in force since this recorder wrote one. */
    Optional<RequestHeader> toBeWritten(JsonObject header, Surface surface) {
        Optional<RequestHeader> inForce = surface.requestHeader();
        if (inForce.isEmpty()) {
            return Optional.of(RequestHeader.of(header, RequestHeader.INITIAL));
        }
        if (!headerWritten) {
            return Optional.of(RequestHeader.of(header, RequestHeader.RESUME));
        }
        // what was sent counts, to the letter: an equal value spelled otherwise is another request
        return inForce.get().header().toText().equals(header.toText())
                ? Optional.empty()
                : Optional.of(RequestHeader.of(header, RequestHeader.CHANGE));
    }

    void headerWritten() {
        headerWritten = true;
    }

    static boolean isInForce(RequestContext context, Surface surface) {
        return surface.requestContext()
                .filter(known -> known.json().toText().equals(context.json().toText()))
                .isPresent();
    }
}
