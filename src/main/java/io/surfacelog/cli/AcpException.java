package io.surfacelog.cli;

import io.surfacelog.event.JsonObject;

/** A request of an ACP client cannot be met; becomes the error of its response. */
final class AcpException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What a client can tell failures apart by. */
    enum Code {
        /** The line is no JSON. */
        PARSE_ERROR(-32700),
        /** It is JSON, but no request, or not at this time. */
        INVALID_REQUEST(-32600),
        /** There is no such method here. */
        METHOD_NOT_FOUND(-32601),
        /** The method cannot work with these parameters. */
        INVALID_PARAMS(-32602),
        /** It was begun, and failed. */
        INTERNAL_ERROR(-32603),
        /** There is no such session. */
        RESOURCE_NOT_FOUND(-32002),
        /** Another process drives the session; ours, as the protocol has none for it. */
        SESSION_DRIVEN_ELSEWHERE(-32050);

        private final int number;

        Code(int number) {
            this.number = number;
        }
    }

    private final Code code;
    private final transient JsonObject data;

    AcpException(Code code, String message) {
        this(code, message, JsonObject.EMPTY);
    }

    AcpException(Code code, String message, JsonObject data) {
        super(message);
        this.code = code;
        this.data = data;
    }

    AcpException(Code code, String message, JsonObject data, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.data = data;
    }

    static AcpException invalidParams(String message) {
        return new AcpException(Code.INVALID_PARAMS, message);
    }

    /** The error object of a JSON-RPC response. */
    JsonObject json() {
        JsonObject.Builder error =
                JsonObject.builder().put("code", code.number).put("message", String.valueOf(getMessage()));
        return data.isEmpty() ? error.build() : error.put("data", data).build();
    }
}
