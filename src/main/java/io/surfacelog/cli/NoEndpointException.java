package io.surfacelog.cli;

import io.surfacelog.event.SurfacelogException;

/** A model was named, but not where it can be asked. */
final class NoEndpointException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    NoEndpointException(String model) {
        super("no endpoint is configured to ask model \"" + model + "\" at; set surfacelog.chat.base-url (in the"
                + " environment SURFACELOG_CHAT_BASE_URL) to that of an endpoint that speaks OpenAI's chat completions, as"
                + " http://localhost:11434/v1, or name --model demo");
    }
}
