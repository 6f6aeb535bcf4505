package io.surfacelog.cli;

import io.surfacelog.agent.AgentDisposedException;
import io.surfacelog.cli.AcpException.Code;
import io.surfacelog.command.LeaseHeldException;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfacelogException;
import io.surfacelog.store.UnknownSessionException;

/** What a failure is to a client. */
final class AcpErrors {

    private AcpErrors() {}

    static AcpException notOpen(SessionId id) {
        return new AcpException(
                Code.RESOURCE_NOT_FOUND,
                "session \"" + id + "\" is not open on this connection; session/load opens it if there is one",
                session(id).build());
    }

    static AcpException of(Throwable failure) {
        if (failure instanceof AcpException error) {
            return error;
        }
        if (failure instanceof UnknownSessionException unknown) {
            return new AcpException(
                    Code.RESOURCE_NOT_FOUND,
                    message(unknown),
                    session(unknown.session()).build(),
                    unknown);
        }
        if (failure instanceof LeaseHeldException held) {
            return new AcpException(
                    Code.SESSION_DRIVEN_ELSEWHERE,
                    message(held),
                    session(held.session())
                            .put("holder", held.holder())
                            .put("expiresAt", held.expiresAt().toString())
                            .build(),
                    held);
        }
        if (failure instanceof AgentDisposedException disposed) {
            return new AcpException(
                    Code.INTERNAL_ERROR,
                    "the agent of session \"" + disposed.session() + "\" has ended; session/load makes another one",
                    session(disposed.session()).build(),
                    disposed);
        }
        if (failure instanceof AdmissionException refused) {
            return new AcpException(Code.INVALID_PARAMS, message(refused), JsonObject.EMPTY, refused);
        }
        String message = failure instanceof SurfacelogException ? message(failure) : "failed: " + failure;
        return new AcpException(Code.INTERNAL_ERROR, message, JsonObject.EMPTY, failure);
    }

    private static String message(Throwable failure) {
        return String.valueOf(failure.getMessage());
    }

    private static JsonObject.Builder session(SessionId id) {
        return JsonObject.builder().put("sessionId", id.value());
    }
}
