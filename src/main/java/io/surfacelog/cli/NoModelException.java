package io.surfacelog.cli;

import io.surfacelog.event.SurfacelogException;

/** It is not said which model to ask, or where. */
final class NoModelException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    private NoModelException(String message) {
        super(message);
    }

    static NoModelException unreachable(String model) {
        return new NoModelException(
                "no endpoint is configured to ask model \"" + model + "\" at; set"
                        + " surfacelog.model.openai.base-url (in the environment SURFACELOG_MODEL_OPENAI_BASEURL) to that of an"
                        + " endpoint that speaks OpenAI's chat completions, as http://localhost:11434/v1, or name --model demo");
    }

    static NoModelException unnamed() {
        return new NoModelException("an endpoint is configured, but no model to ask there; name it by --model, or by"
                + " surfacelog.model.openai.default-model");
    }
}
