package io.surfacelog.model;

import java.io.IOException;

/** What came is not what an endpoint of this protocol sends. */
final class OpenAiGarbageException extends IOException {

    private static final long serialVersionUID = 1L;

    OpenAiGarbageException(String found) {
        super(found);
    }
}
