package io.surfacelog.event;

/**
 * The typed {@code data} of an event: a view of its JSON that shows the members the format names and keeps all others.
 * A {@link SurfacePayload} needs a {@link SurfaceIntent} to be appended, a {@link LogOnlyPayload} must not have one; the
 * compiler says so.
 */
public sealed interface Payload permits SurfacePayload, LogOnlyPayload {

    /** The event type, {@code scope/name}. */
    String type();

    /** The whole data, extra members included. */
    Json json();

    /** The typed view of such data; an {@link OpaquePayload} where type or shape is not known. */
    static Payload view(String type, Json data) {
        try {
            return PayloadViews.view(type, data);
        } catch (AdmissionException notThatShape) {
            return new OpaquePayload(type, data);
        }
    }
}
